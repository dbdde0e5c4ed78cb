// MPI_Bcast: the root reads its buffer as input, the others write theirs as output.
#include <optional>

#include "interpose/check_sides.hpp"
#include "interpose/communicator.hpp"
#include "interpose/device_buffers.hpp"
#include "interpose/handlers.hpp"
#include "interpose/packed_side.hpp"
#include "interpose/run_choice.hpp"
#include "interpose/vector_cut.hpp"
#include "interpose/wishes.hpp"

namespace tasuki::interpose {

namespace {

Handled to_the_host(const char* reason) {
    return interpose::to_the_host(Collective::bcast, reason);
}

void run(Communicator& communicator, Machine& machine, const Side& side, bool is_root,
         bool late_device) {
    PackedSide bytes(communicator, side, late_device);
    if (is_root) bytes.fetch();
    const Program& program = machine.program();
    const std::int32_t chunks = is_root ? program.input_chunks : program.output_chunks;
    const VectorCut cut(side.bytes(), 1, chunks, program);
    Work work = is_root ? cut.work(bytes.data(), nullptr) : cut.work(nullptr, bytes.data());
    work.is_whole_call = true;
    execute(communicator, machine, work);
    if (!is_root) bytes.deliver();
}

Handled handle(void* buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm parent) {
    std::optional<Side> made;
    if (parent == MPI_COMM_NULL || !make_side(made, buffer, count, type, 1)) {
        return to_the_host("its arguments are invalid");
    }
    Side& side = *made;
    // The signatures of all ranks are equal, so that what follows is decided alike.
    if (side.bytes() == 0) return nothing_to_do(Collective::bcast, "there is nothing to move");
    Communicator* communicator = Communicator::of(parent, Collective::bcast);
    if (communicator == nullptr) return to_the_host(Communicator::why_not(parent));
    if (root < 0 || root >= communicator->ranks()) return to_the_host("its root is no rank");
    communicator->begin_call();
    const bool late_device = has_late_device(*communicator);
    if (const char* reason = why_not_ours(*communicator, &side)) return to_the_host(reason);
    const Wish* wish = current_wish(Collective::bcast);
    SelectedSize* size = communicator->selected_size(Collective::bcast, *wish, side.bytes());
    const bool is_root = communicator->rank() == root;
    return take({Collective::bcast, root}, begin_turn(size, wish), *communicator,
                [&](Machine& machine) { run(*communicator, machine, side, is_root, late_device); });
}

}  // namespace

Handled handle_bcast(void* buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm parent) {
    return handle_safely(Collective::bcast, parent,
                         [&] { return handle(buffer, count, type, root, parent); });
}

}  // namespace tasuki::interpose

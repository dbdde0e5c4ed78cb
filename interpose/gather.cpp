// MPI_Gather and MPI_Gatherv.
#include "interpose/handlers.hpp"
#include "interpose/rooted_blocks.hpp"

namespace tasuki::interpose {

namespace {

constexpr auto run = [](Machine& machine, const auto& blocks) {
    PackedRootedBlocks packed(blocks, machine.program());
    packed.own().fetch();
    execute(*blocks.communicator, machine,
            {.input = packed.own_buffer(),
             .output = packed.all_buffer(),
             .unit_bytes = packed.unit_bytes(),
             .scratch = packed.scratch(),
             .is_whole_call = true});
    packed.deliver_all();
};

}  // namespace

Handled handle_gather(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                      MPI_Count receive_count, MPI_Datatype receive_type, int root,
                      MPI_Comm parent) {
    return handle_safely(Collective::gather, parent, [&] {
        const auto make_all = [&](std::optional<Side>& all, int ranks) {
            return make_side(all, receive, receive_count, receive_type, ranks);
        };
        return handle_rooted<Side>(Collective::gather, parent, root, send, send_count, send_type,
                                   make_all, run);
    });
}

Handled handle_gatherv(const void* send, MPI_Count send_count, MPI_Datatype send_type,
                       void* receive, Integers counts, Integers displacements,
                       MPI_Datatype receive_type, int root, MPI_Comm parent) {
    return handle_safely(Collective::gather, parent, [&] {
        const auto make_all = [&](std::optional<UnevenSide>& all, int ranks) {
            return UnevenSide::make(all, receive, counts, displacements, receive_type, ranks);
        };
        return handle_rooted<UnevenSide>(Collective::gather, parent, root, send, send_count,
                                         send_type, make_all, run);
    });
}

}  // namespace tasuki::interpose

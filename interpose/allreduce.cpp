// MPI_Allreduce.
#include "interpose/communicator.hpp"
#include "interpose/device_buffers.hpp"
#include "interpose/handlers.hpp"
#include "interpose/reduced_vector.hpp"
#include "interpose/run_choice.hpp"
#include "interpose/wishes.hpp"

namespace tasuki::interpose {

namespace {

Handled to_the_host(const char* reason) {
    return interpose::to_the_host(Collective::allreduce, reason);
}

Handled handle(const void* send, void* receive, MPI_Count count, MPI_Datatype type,
               MPI_Op operation, MPI_Comm parent) {
    if (parent == MPI_COMM_NULL || count < 0 || send == nullptr || receive == nullptr ||
        receive == MPI_IN_PLACE) {
        return to_the_host("its arguments are invalid");
    }
    if (count == 0) return to_the_host("there is nothing to reduce");
    const std::optional<Reduction> reduction = Reduction::of(operation, type);
    if (!reduction) return to_the_host("its operation and datatype are the host's to join");
    Communicator* communicator = Communicator::of(parent);
    if (communicator == nullptr) return to_the_host(Communicator::why_not(parent));
    communicator->begin_call();
    const bool late_device = has_late_device(*communicator);
    const ReducedVector vector{*reduction, send, receive, count, type};
    if (const char* reason = why_not_ours(*communicator, vector)) return to_the_host(reason);
    const Wish* wish = current_wish(Collective::allreduce);
    const RowFilter& rows = rows_for(*reduction);
    SelectedSize* size =
        communicator->selected_size(Collective::allreduce, *wish, vector.bytes(), rows);
    return take({Collective::allreduce, 0, &rows}, begin_turn(size, wish), *communicator,
                [&](Machine& machine) { reduce(*communicator, machine, vector, late_device); });
}

}  // namespace

Handled handle_allreduce(const void* send, void* receive, MPI_Count count, MPI_Datatype type,
                         MPI_Op operation, MPI_Comm parent) {
    return handle_safely(Collective::allreduce, parent,
                         [&] { return handle(send, receive, count, type, operation, parent); });
}

}  // namespace tasuki::interpose

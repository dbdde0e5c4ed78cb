// MPI_Barrier: messages without data.
#include "interpose/communicator.hpp"
#include "interpose/handlers.hpp"
#include "interpose/run_choice.hpp"
#include "interpose/wishes.hpp"

namespace tasuki::interpose {

namespace {

constexpr CallKind kind{Collective::barrier};

Handled handle(MPI_Comm parent) {
    if (parent == MPI_COMM_NULL) return to_the_host(kind.collective, "its arguments are invalid");
    Communicator* communicator = Communicator::of(parent, Collective::barrier);
    if (communicator == nullptr) {
        return to_the_host(kind.collective, Communicator::why_not(parent));
    }
    communicator->begin_call();
    const Wish* wish = current_wish(kind.collective);
    SelectedSize* size = communicator->selected_size(kind.collective, *wish, 0);
    return take(kind, begin_turn(size, wish), *communicator, [&](Machine& machine) {
        execute(*communicator, machine, {.is_whole_call = true});
    });
}

}  // namespace

Handled handle_barrier(MPI_Comm parent) {
    return handle_safely(kind.collective, parent, [&] { return handle(parent); });
}

}  // namespace tasuki::interpose

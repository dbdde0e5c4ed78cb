// MPI_Alltoallv and MPI_Alltoallw: only the two ends of a message know its size.
#include <algorithm>
#include <optional>

#include "interpose/check_sides.hpp"
#include "interpose/communicator.hpp"
#include "interpose/handlers.hpp"
#include "interpose/run_choice.hpp"
#include "interpose/uneven_side.hpp"
#include "interpose/wishes.hpp"

namespace tasuki::interpose {

namespace {

constexpr CallKind kind{Collective::alltoallv};

Handled to_the_host(const char* reason) {
    return interpose::to_the_host(Collective::alltoallv, reason);
}

/// The largest block that goes to another rank: each is known to the one who sends it.
std::int64_t largest_sent(const Communicator& communicator, const UnevenSide& send) {
    std::int64_t largest = 0;
    for (int rank = 0; rank < communicator.ranks(); ++rank) {
        if (rank != communicator.rank()) largest = std::max(largest, send.bytes()[rank]);
    }
    return largest;
}

/// What an execution works on, and in what room heads of blocks travel.
struct Sides {
    const UnevenSide& send;
    const UnevenSide& receive;
    bool is_in_place;
    bool late_device;
    std::int64_t capacity;
};

void run(Communicator& communicator, Machine& machine, const Sides& sides) {
    PackedUnevenSide input(communicator, sides.send, sides.late_device, false, sides.is_in_place);
    PackedUnevenSide output(communicator, sides.receive, sides.late_device, false);
    input.fetch();
    UnevenChunks scratch;
    Work work{.unit_bytes = 1, .is_whole_call = true};
    if (machine.program().has_tails) {
        input.split(sides.capacity);
        output.split(sides.capacity);
        scratch = scratch_of(machine.program(), {&sides.capacity, 1});
        work.scratch = &scratch;
    }
    work.input = input.buffer();
    work.output = output.buffer();
    execute(communicator, machine, work);
    output.deliver();
}

/// `make_send`, `make_receive`: fill a side from the arguments of the call, for so many ranks.
template <typename MakeSend, typename MakeReceive>
Handled handle(MPI_Comm parent, bool is_in_place, const MakeSend& make_send,
               const MakeReceive& make_receive) {
    if (parent == MPI_COMM_NULL) return to_the_host("its arguments are invalid");
    Communicator* communicator = Communicator::of(parent, Collective::alltoallv);
    if (communicator == nullptr) return to_the_host(Communicator::why_not(parent));
    const int ranks = communicator->ranks();
    std::optional<UnevenSide> made, receive;
    if ((!is_in_place && !make_send(made, ranks)) || !make_receive(receive, ranks)) {
        return to_the_host("its arguments are invalid");
    }
    UnevenSide& send = is_in_place ? *receive : *made;
    communicator->begin_call();
    const bool late_device = has_late_device(*communicator);
    if (const char* reason = why_not_ours(*communicator, &send, &*receive)) {
        return to_the_host(reason);
    }
    const Wish* wish = current_wish(Collective::alltoallv);
    const std::int64_t most = std::max(send.all_bytes(), receive->all_bytes());
    const auto agreed = communicator->agreed_selected_size(
        Collective::alltoallv, *wish, most, [&] { return largest_sent(*communicator, send); },
        every_row);
    const Sides sides{send, *receive, is_in_place, late_device, agreed.capacity};
    return take(kind, begin_turn(agreed.size, wish), *communicator,
                [&](Machine& machine) { run(*communicator, machine, sides); });
}

}  // namespace

Handled handle_alltoallv(const void* send, Integers send_counts, Integers send_displacements,
                         MPI_Datatype send_type, void* receive, Integers receive_counts,
                         Integers receive_displacements, MPI_Datatype receive_type,
                         MPI_Comm parent) {
    return handle_safely(Collective::alltoallv, parent, [&] {
        return handle(
            parent, send == MPI_IN_PLACE,
            [&](std::optional<UnevenSide>& side, int ranks) {
                return UnevenSide::make(side, send, send_counts, send_displacements, send_type,
                                        ranks);
            },
            [&](std::optional<UnevenSide>& side, int ranks) {
                return UnevenSide::make(side, receive, receive_counts, receive_displacements,
                                        receive_type, ranks);
            });
    });
}

Handled handle_alltoallw(const void* send, Integers send_counts, Integers send_displacements,
                         Datatypes send_types, void* receive, Integers receive_counts,
                         Integers receive_displacements, Datatypes receive_types, MPI_Comm parent) {
    return handle_safely(Collective::alltoallv, parent, [&] {
        return handle(
            parent, send == MPI_IN_PLACE,
            [&](std::optional<UnevenSide>& side, int ranks) {
                return UnevenSide::make(side, send, send_counts, send_displacements, send_types,
                                        ranks);
            },
            [&](std::optional<UnevenSide>& side, int ranks) {
                return UnevenSide::make(side, receive, receive_counts, receive_displacements,
                                        receive_types, ranks);
            });
    });
}

}  // namespace tasuki::interpose

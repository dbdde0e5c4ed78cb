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

const char* why_not(const Algorithm& row, int ranks) {
    return rows_of_unknown_sizes.why_not(row, ranks);
}
/// Keys have the name of the collective, which is a v-form itself.
constexpr RowFilter rows{"", why_not, nullptr};
constexpr CallKind kind{Collective::alltoallv, 0, &rows};

Handled to_the_host(const char* reason) {
    return interpose::to_the_host(Collective::alltoallv, reason);
}

void run(Communicator& communicator, Machine& machine, const UnevenSide& send,
         const UnevenSide& receive, bool is_in_place, bool late_device) {
    PackedUnevenSide input(communicator, send, late_device, false, is_in_place);
    PackedUnevenSide output(communicator, receive, late_device, false);
    input.fetch();
    execute(communicator, machine,
            {.input = input.buffer(), .output = output.buffer(), .unit_bytes = 1});
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
    SelectedSize* size =
        communicator->agreed_selected_size(Collective::alltoallv, *wish, most, rows);
    return take(kind, begin_turn(size, wish), *communicator, [&](Machine& machine) {
        run(*communicator, machine, send, *receive, is_in_place, late_device);
    });
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

// MPI_Allgather and MPI_Allgatherv: every rank knows the sizes of all blocks.
#include <optional>
#include <vector>

#include "execute/chunk_sizes.hpp"
#include "interpose/check_sides.hpp"
#include "interpose/communicator.hpp"
#include "interpose/handlers.hpp"
#include "interpose/packed_side.hpp"
#include "interpose/run_choice.hpp"
#include "interpose/uneven_side.hpp"
#include "interpose/wishes.hpp"

namespace tasuki::interpose {

namespace {

constexpr CallKind kind{Collective::allgather};

Handled to_the_host(const char* reason) {
    return interpose::to_the_host(Collective::allgather, reason);
}

/// What this rank gives: from its place in the output if the call is in place.
struct Own {
    const Side& side;
    bool is_in_place;
};

void run(Communicator& communicator, Machine& machine, const Own& own, const Side& receive,
         bool late_device) {
    PackedSide input(communicator, own.side, late_device, own.is_in_place);
    PackedSide output(communicator, receive, late_device);
    input.fetch();
    execute(communicator, machine,
            {.input = input.buffer(),
             .output = output.buffer(),
             .unit_bytes = receive.block_bytes(),
             .is_whole_call = true});
    output.deliver();
}

void run(Communicator& communicator, Machine& machine, const Own& own, const UnevenSide& receive,
         bool late_device) {
    PackedSide input(communicator, own.side, late_device, own.is_in_place);
    PackedUnevenSide output(communicator, receive, late_device, true);
    input.fetch();
    const auto own_chunk = UnevenChunks::packed(std::vector<std::int64_t>{own.side.bytes()});
    const UnevenChunks scratch = scratch_of(machine.program(), receive.bytes());
    execute(communicator, machine,
            {.input = input.buffer(own_chunk),
             .output = output.buffer(),
             .unit_bytes = 1,
             .scratch = &scratch,
             .is_whole_call = true});
    output.deliver();
}

/// `AnySide`: Side or UnevenSide.
template <typename AnySide>
Handled handle(Communicator& communicator, std::optional<Side>& send, AnySide& receive,
               std::int64_t all_bytes) {
    const bool is_in_place = !send;
    Side own_place = receive.block(communicator.rank());
    if (!is_in_place && send->bytes() != own_place.bytes()) {
        return to_the_host("the sizes of what is sent and received differ");
    }
    if (all_bytes == 0) return nothing_to_do(Collective::allgather, "there is nothing to move");
    communicator.begin_call();
    const bool late_device = has_late_device(communicator);
    if (const char* reason = why_not_ours(communicator, is_in_place ? nullptr : &*send, &receive)) {
        return to_the_host(reason);
    }
    own_place.leave_bottom();
    const Wish* wish = current_wish(Collective::allgather);
    SelectedSize* size = communicator.selected_size(Collective::allgather, *wish, all_bytes);
    const Own own{is_in_place ? own_place : *send, is_in_place};
    return take(kind, begin_turn(size, wish), communicator,
                [&](Machine& machine) { run(communicator, machine, own, receive, late_device); });
}

bool make_own(std::optional<Side>& side, const void* send, MPI_Count count, MPI_Datatype type) {
    return send == MPI_IN_PLACE || make_side(side, send, count, type, 1);
}

}  // namespace

Handled handle_allgather(const void* send, MPI_Count send_count, MPI_Datatype send_type,
                         void* receive, MPI_Count receive_count, MPI_Datatype receive_type,
                         MPI_Comm parent) {
    return handle_safely(Collective::allgather, parent, [&]() -> Handled {
        if (parent == MPI_COMM_NULL) return to_the_host("its arguments are invalid");
        Communicator* communicator = Communicator::of(parent, Collective::allgather);
        if (communicator == nullptr) return to_the_host(Communicator::why_not(parent));
        std::optional<Side> from, to;
        if (!make_own(from, send, send_count, send_type) ||
            !make_side(to, receive, receive_count, receive_type, communicator->ranks())) {
            return to_the_host("its arguments are invalid");
        }
        return handle(*communicator, from, *to, to->bytes());
    });
}

Handled handle_allgatherv(const void* send, MPI_Count send_count, MPI_Datatype send_type,
                          void* receive, Integers counts, Integers displacements,
                          MPI_Datatype receive_type, MPI_Comm parent) {
    return handle_safely(Collective::allgather, parent, [&]() -> Handled {
        if (parent == MPI_COMM_NULL) return to_the_host("its arguments are invalid");
        Communicator* communicator = Communicator::of(parent, Collective::allgather);
        if (communicator == nullptr) return to_the_host(Communicator::why_not(parent));
        std::optional<Side> from;
        std::optional<UnevenSide> to;
        if (!make_own(from, send, send_count, send_type) ||
            !UnevenSide::make(to, receive, counts, displacements, receive_type,
                              communicator->ranks())) {
            return to_the_host("its arguments are invalid");
        }
        return handle(*communicator, from, *to, to->all_bytes());
    });
}

}  // namespace tasuki::interpose

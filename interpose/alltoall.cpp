// MPI_Alltoall: checks what we may do, binds the chosen program to the buffers, runs it.
#include <cstddef>

#include "interpose/communicator.hpp"
#include "interpose/device_buffers.hpp"
#include "interpose/last_call.hpp"
#include "interpose/process.hpp"
#include "interpose/run_choice.hpp"
#include "interpose/scratch.hpp"
#include "interpose/side.hpp"
#include "interpose/wishes.hpp"
#include "transport/host/datatype.hpp"

namespace tasuki::interpose {

namespace {

Handled to_the_host(const char* reason) {
    return interpose::to_the_host(Collective::alltoall, reason);
}

/// As execute(), where buffers have to be packed first, or unpacked afterwards.
void execute_packed(Communicator& communicator, Machine& machine, const Side& send,
                    const Side& receive, bool late_device) {
    const bool is_in_place = send.address() == MPI_IN_PLACE;
    const bool device_receive = late_device && is_device_memory(receive.address());
    const bool device_send =
        is_in_place ? device_receive : late_device && is_device_memory(send.address());
    if (device_receive || device_send) tell_of_staging();
    const bool packs_elements =
        machine.program().scratch_chunks > 0 || machine.carrier() == Carrier::memory;
    const bool huge_send = packs_elements && send.has_huge_elements();
    const bool huge_receive = packs_elements && receive.has_huge_elements();
    const bool only_bytes = process().host_needs_bytes;
    const bool pack_input =
        is_in_place || device_send || huge_send || (only_bytes && !send.is_plain());
    const bool unpack_output =
        device_receive || huge_receive || (only_bytes && !receive.is_plain());

    const std::int64_t block_bytes = receive.block_bytes();
    const std::int64_t all_bytes = communicator.ranks() * block_bytes;
    const Scratch packed_input(pack_input ? all_bytes : 0);
    const Scratch packed_output(unpack_output ? all_bytes : 0);
    Buffer input = send.buffer();
    Buffer output = receive.buffer();
    if (pack_input) {
        input = Buffer::contiguous(packed_input.data(), block_bytes);
        (is_in_place ? receive : send)
            .pack(communicator, device_send || send.has_huge_elements(), input);
    }
    if (unpack_output) output = Buffer::contiguous(packed_output.data(), block_bytes);
    execute(communicator, machine, {.input = input, .output = output, .unit_bytes = block_bytes});
    if (unpack_output) receive.unpack(communicator, device_receive || huge_receive, output);
}

constexpr CallKind kind{Collective::alltoall};

inline void run_bound(Communicator& communicator, BoundExchange& bound) {
    bound.run(communicator.own(), communicator.tags());
    communicator.report_messages(bound.sent_messages(), bound.sent_bytes());
}

/// Everything but plain bytes from one place in ordinary memory to another.
[[gnu::noinline]] Handled handle_other(Communicator& communicator, Side send, Side receive,
                                       bool late_device) {
    const bool is_in_place = send.address() == MPI_IN_PLACE;
    if (send.is_missing() || receive.is_missing()) {
        return to_the_host("its arguments are invalid");
    }
    if (!send.can_be_sent(communicator) || !receive.can_be_sent(communicator)) {
        return to_the_host("its datatypes are not committed");
    }
    if (any_rank_has_device_memory(communicator,
                                   {is_in_place ? nullptr : send.address(), receive.address()})) {
        return to_the_host("a buffer is in device memory");
    }
    send.leave_bottom();
    receive.leave_bottom();
    const Wish* wish = current_wish(Collective::alltoall);
    const auto size =
        communicator.selected_size(Collective::alltoall, *wish, receive.block_bytes());
    return take(kind, begin_turn(size, wish), communicator, [&](Machine& machine) {
        execute_packed(communicator, machine, send, receive, late_device);
    });
}

/// Plain bytes. `is_repeated`: the last call of the communicator once more.
[[gnu::noinline]] Handled handle_plain(Communicator& communicator, const PlainCall& call,
                                       std::int64_t block_bytes, SelectedSize* size,
                                       bool is_repeated) {
    const Turn turn = begin_turn(size, call.wish);
    if (BoundExchange* bound = communicator.repeated_call().bound_to(turn.choice)) {
        run_bound(communicator, *bound);
        if (turn.is_watched()) turn.size->end(turn, true);
        note_call(Collective::alltoall, turn.choice, "");
        return {true, MPI_SUCCESS};
    }
    return take(kind, turn, communicator, [&](Machine& machine) {
        auto* from = static_cast<std::byte*>(const_cast<void*>(call.send));
        execute(communicator, machine,
                {.input = Buffer::contiguous(from, block_bytes),
                 .output = Buffer::contiguous(call.receive, block_bytes),
                 .unit_bytes = block_bytes,
                 .is_whole_call = true,
                 .may_be_bound = true},
                is_repeated ? turn.choice : nullptr);
    });
}

/// Where `call` is the one that its communicator had last, nothing of it needs to be looked at
/// again. nullptr otherwise.
Communicator* communicator_of_repeated(const PlainCall& call, MPI_Comm parent) {
    Communicator* communicator = Communicator::of_recent_call(parent);
    const bool is_the_same = communicator != nullptr && communicator->repeated_call().is(call) &&
                             !may_look_for_devices(*communicator);
    return is_the_same ? communicator : nullptr;
}

/// Any call that is not the one its communicator had last.
[[gnu::noinline]] Handled handle_new(PlainCall call, MPI_Comm parent) {
    const bool is_in_place = call.send == MPI_IN_PLACE;
    if (is_in_place) {
        call.send_count = call.receive_count;
        call.send_type = call.receive_type;
    }
    // What is wrong with the arguments is the host's to say.
    if (parent == MPI_COMM_NULL || call.send_count < 0 || call.receive_count < 0 ||
        call.receive == MPI_IN_PLACE) {
        return to_the_host("its arguments are invalid");
    }
    host::TypeLayout receive_layout;
    bool are_valid = host::layout_of(call.receive_type, receive_layout);
    host::TypeLayout send_layout = receive_layout;
    if (call.send_type != call.receive_type) {
        are_valid &= host::layout_of(call.send_type, send_layout);
    }
    if (!are_valid) return to_the_host("its datatypes are invalid");
    // The signatures of all ranks are equal, so that what follows is decided alike.
    const MPI_Count block_bytes = call.receive_count * receive_layout.size;
    if (call.send_count * send_layout.size != block_bytes) {
        return to_the_host("the sizes of what is sent and received differ");
    }
    if (block_bytes == 0) return nothing_to_do(Collective::alltoall, "there is nothing to move");

    Communicator* communicator = Communicator::of(parent, Collective::alltoall);
    if (communicator == nullptr) return to_the_host(Communicator::why_not(parent));
    communicator->begin_call();
    // Device memory that no rank could know of when the ranks agreed about it.
    const bool late_device = has_late_device(*communicator);
    auto* from = static_cast<std::byte*>(const_cast<void*>(call.send));
    auto* to = static_cast<std::byte*>(call.receive);
    if (late_device || communicator->may_meet_device_memory() || is_in_place || from == nullptr ||
        to == nullptr || !send_layout.is_plain || !receive_layout.is_plain ||
        !send_layout.is_predefined || !receive_layout.is_predefined) [[unlikely]] {
        return handle_other(
            *communicator,
            {from, call.send_count, call.send_type, send_layout, communicator->ranks()},
            {to, call.receive_count, call.receive_type, receive_layout, communicator->ranks()},
            late_device);
    }
    const auto size = communicator->selected_size(Collective::alltoall, *call.wish, block_bytes);
    const bool is_repeated = communicator->repeated_call().is(call);
    if (!is_repeated) communicator->repeated_call().note(call, block_bytes, size);
    return handle_plain(*communicator, call, block_bytes, size, is_repeated);
}

}  // namespace

// Short, because between two calls the host and the kernel have driven its code out of the fastest
// cache: at 4 KiB on Open MPI that is 40 ns of 2.7 us. It and what it reads begin with a cache
// line: elsewhere 8 B took up to 30 ns more, depending on what else the library held.
[[gnu::hot, gnu::aligned(64)]] Handled handle_alltoall(const void* send, MPI_Count send_count,
                                                       MPI_Datatype send_type, void* receive,
                                                       MPI_Count receive_count,
                                                       MPI_Datatype receive_type, MPI_Comm parent) {
    try {
        const PlainCall call{current_wish(Collective::alltoall),
                             send,
                             receive,
                             send_count,
                             receive_count,
                             send_type,
                             receive_type};
        Communicator* communicator = communicator_of_repeated(call, parent);
        if (communicator == nullptr) return handle_new(call, parent);
        communicator->begin_call();
        RepeatedCall& last = communicator->repeated_call();
        communicator->report_size(Collective::alltoall, every_row, last.block_bytes(),
                                  last.block_bytes());
        BoundExchange* bound = last.bound_to(call.wish);
        if (bound == nullptr) {
            return handle_plain(*communicator, call, last.block_bytes(), last.size(), true);
        }
        run_bound(*communicator, *bound);
        note_call(Collective::alltoall, call.wish, "");
        return {true, MPI_SUCCESS};
    } catch (...) {
        return end_failed_call(Collective::alltoall, parent);
    }
}

}  // namespace tasuki::interpose

// MPI_Alltoall: checks what we may do, binds the chosen program to the buffers, runs it.
#include <atomic>
#include <cstddef>
#include <exception>
#include <new>
#include <string>

#include "interpose/choices.hpp"
#include "interpose/communicator.hpp"
#include "interpose/device_memory.hpp"
#include "interpose/last_call.hpp"
#include "interpose/process.hpp"
#include "interpose/say.hpp"
#include "interpose/scratch.hpp"
#include "interpose/side.hpp"
#include "transport/host/check.hpp"
#include "transport/host/datatype.hpp"

namespace tasuki::interpose {

namespace {

Handled to_the_host(const char* reason) {
    note_call(Collective::alltoall, nullptr, reason);
    return {};
}

/// Ends a call that failed the way the program has asked for.
Handled fail(MPI_Comm communicator, int code) {
    PMPI_Comm_call_errhandler(communicator, code);
    return {true, code};
}

/// Whether any rank has a buffer in device memory; all ranks get the same answer.
bool any_device_memory(Communicator& communicator, const void* send, const void* receive) {
    int found = is_device_memory(send) || is_device_memory(receive);
    host::check(PMPI_Allreduce(MPI_IN_PLACE, &found, 1, MPI_INT, MPI_MAX, communicator.own()));
    return found != 0;
}

/// Runs `machine` from `input` to `output`, in which nothing is device memory.
void execute(Communicator& communicator, Machine& machine, const Buffer& input,
             const Buffer& output, const PlainCall* call = nullptr) {
    const std::int64_t block_bytes = output.chunk_bytes;
    Scratch scratch(machine.program().scratch_chunks * block_bytes);
    const Binding binding{.input = input,
                          .output = output,
                          .scratch = Buffer::contiguous(scratch.data(), block_bytes),
                          .transport = &communicator.transport(),
                          .first_tag = communicator.first_tag()};
    try {
        machine.run(binding);
    } catch (...) {
        communicator.transport().abandon();
        scratch.leave_for_ever();
        throw;
    }
    if (call != nullptr && machine.bytes() <= PreparedPrograms::largest_kept) {
        communicator.repeated_call().note(*call, machine.program(), binding);
    }
    communicator.programs().drop_passing();
}

/// Once: it is slow, though right.
void tell_of_staging() {
    static std::atomic<bool> is_told = false;
    if (is_told.exchange(true)) return;
    say("a device runtime was loaded after the ranks agreed that there is none: buffers in device "
        "memory go through the host's memory until the ranks have agreed anew");
}

/// As execute(), where buffers have to be packed first, or unpacked afterwards.
void execute_packed(Communicator& communicator, Machine& machine, const Side& send,
                    const Side& receive, bool late_device) {
    const bool is_in_place = send.address() == MPI_IN_PLACE;
    const bool device_receive = late_device && is_device_memory(receive.address());
    const bool device_send =
        is_in_place ? device_receive : late_device && is_device_memory(send.address());
    if (device_receive || device_send) tell_of_staging();
    const bool packs_elements = machine.program().scratch_chunks > 0;
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
    execute(communicator, machine, input, output);
    if (unpack_output) receive.unpack(communicator, device_receive || huge_receive, output);
}

/// The machine that is to run on `communicator`; nullptr, with the reason, if the host has to.
Machine* find_machine(Communicator& communicator, const Choice* choice, const char*& reason) {
    reason = "";
    if (choice->algorithm == nullptr) return nullptr;
    Prepared& prepared = communicator.programs().get(choice);
    if (prepared.misses != nullptr) reason = prepared.misses;
    return prepared.machine.get();
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
    if (communicator.may_meet_device_memory() &&
        any_device_memory(communicator, is_in_place ? nullptr : send.address(),
                          receive.address())) {
        return to_the_host("a buffer is in device memory");
    }
    const Choice* choice = current_choice(Collective::alltoall);
    const char* reason = nullptr;
    Machine* machine = find_machine(communicator, choice, reason);
    if (machine == nullptr) return to_the_host(reason);
    send.leave_bottom();
    receive.leave_bottom();
    execute_packed(communicator, *machine, send, receive, late_device);
    note_call(Collective::alltoall, choice, "");
    return {true, MPI_SUCCESS};
}

/// The call that this communicator had last, once more: nothing of it needs to be looked at again.
bool run_repeated(const PlainCall& call, MPI_Comm parent) {
    Communicator* communicator = Communicator::of_last_call(parent);
    if (communicator == nullptr) return false;
    BoundExchange* bound = communicator->repeated_call().find(call);
    if (bound == nullptr) return false;
    if (communicator->may_meet_device_memory() || communicator->agrees_in_next_call() ||
        device_runtime_is_loaded()) {
        return false;
    }
    communicator->begin_call();
    bound->run(communicator->own(), communicator->first_tag());
    note_call(Collective::alltoall, call.choice, "");
    return true;
}

}  // namespace

Handled handle_alltoall(const void* send, MPI_Count send_count, MPI_Datatype send_type,
                        void* receive, MPI_Count receive_count, MPI_Datatype receive_type,
                        MPI_Comm parent) {
    const bool is_in_place = send == MPI_IN_PLACE;
    if (is_in_place) {
        send_count = receive_count;
        send_type = receive_type;
    }
    // What is wrong with the arguments is the host's to say.
    if (parent == MPI_COMM_NULL || send_count < 0 || receive_count < 0 || receive == MPI_IN_PLACE) {
        return to_the_host("its arguments are invalid");
    }
    try {
        const PlainCall repeated{current_choice(Collective::alltoall),
                                 send,
                                 receive,
                                 send_count,
                                 receive_count,
                                 send_type,
                                 receive_type};
        if (run_repeated(repeated, parent)) return {true, MPI_SUCCESS};
        host::TypeLayout receive_layout;
        bool are_valid = host::layout_of(receive_type, receive_layout);
        host::TypeLayout send_layout = receive_layout;
        if (send_type != receive_type) are_valid &= host::layout_of(send_type, send_layout);
        if (!are_valid) return to_the_host("its datatypes are invalid");
        // The signatures of all ranks are equal, so that what follows is decided alike.
        const MPI_Count block_bytes = receive_count * receive_layout.size;
        if (send_count * send_layout.size != block_bytes) {
            return to_the_host("the sizes of what is sent and received differ");
        }
        if (block_bytes == 0) return to_the_host("there is nothing to move");

        Communicator* communicator = Communicator::of(parent);
        if (communicator == nullptr) return to_the_host(Communicator::why_not(parent));
        communicator->begin_call();
        // Device memory that no rank could know of when the ranks agreed about it.
        const bool late_device =
            !communicator->may_meet_device_memory() && device_runtime_is_loaded();
        auto* from = static_cast<std::byte*>(const_cast<void*>(send));
        auto* to = static_cast<std::byte*>(receive);
        if (late_device || communicator->may_meet_device_memory() || is_in_place ||
            from == nullptr || to == nullptr || !send_layout.is_plain || !receive_layout.is_plain ||
            !send_layout.is_predefined || !receive_layout.is_predefined) [[unlikely]] {
            return handle_other(*communicator, Side(from, send_count, send_type, send_layout),
                                Side(to, receive_count, receive_type, receive_layout), late_device);
        }
        const Choice* choice = current_choice(Collective::alltoall);
        const char* reason = nullptr;
        Machine* machine = find_machine(*communicator, choice, reason);
        if (machine == nullptr) return to_the_host(reason);
        const PlainCall call{choice,        send,      receive,     send_count,
                             receive_count, send_type, receive_type};
        execute(*communicator, *machine, Buffer::contiguous(from, block_bytes),
                Buffer::contiguous(to, block_bytes), &call);
        note_call(Collective::alltoall, choice, "");
        return {true, MPI_SUCCESS};
    } catch (const TransportError& error) {
        return fail(parent, error.code());
    } catch (const std::bad_alloc&) {
        say("MPI_Alltoall finds no memory for the algorithm that was chosen");
        return fail(parent, MPI_ERR_NO_MEM);
    } catch (const std::exception& error) {
        say(std::string("MPI_Alltoall failed inside Tasuki: ") + error.what());
        return fail(parent, MPI_ERR_INTERN);
    }
}

}  // namespace tasuki::interpose

// MPI_Alltoall: checks what we may do, binds the chosen program to the buffers, runs it.
#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <optional>
#include <string>

#include "interpose/choices.hpp"
#include "interpose/communicator.hpp"
#include "interpose/device_memory.hpp"
#include "interpose/last_call.hpp"
#include "interpose/process.hpp"
#include "interpose/say.hpp"
#include "interpose/scratch.hpp"
#include "interpose/staging.hpp"
#include "transport/host/datatype.hpp"

namespace tasuki::interpose {

namespace {

/// One side of the call: a buffer of one block of `count` elements for each rank.
struct Side {
    void* address;
    MPI_Count count;
    host::TypeLayout layout;
    host::HostElementType elements;
    std::optional<host::MovedType> moved;

    Side(void* address, MPI_Count count, MPI_Datatype type, const host::TypeLayout& layout)
        : address(address), count(count), layout(layout), elements(type, layout) {}

    /// A null pointer is MPI_BOTTOM, and the type holds addresses; a plain one holds none.
    bool is_missing() const { return address == nullptr && layout.is_plain; }
    /// The same places seen from another address than MPI_BOTTOM, which is a null pointer and as
    /// such refused by MPICH's MPI_Pack and MPI_Unpack.
    void leave_bottom() {
        if (address != nullptr) return;
        constexpr std::intptr_t elsewhere = 64;
        moved.emplace(elements.type(), -elsewhere);
        elements = host::HostElementType(moved->type(), layout);
        address = reinterpret_cast<void*>(elsewhere);
    }

    MPI_Count block_bytes() const { return count * layout.size; }
    Buffer buffer() const {
        return {static_cast<std::byte*>(address), block_bytes(), count * layout.extent, count,
                layout.is_plain ? nullptr : &elements};
    }
};

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
    const int code = PMPI_Allreduce(MPI_IN_PLACE, &found, 1, MPI_INT, MPI_MAX, communicator.own());
    if (code != MPI_SUCCESS) throw TransportError(code);
    return found != 0;
}

/// Runs `machine` from `input` to `output`, in which nothing is device memory.
void execute(Communicator& communicator, StepMachine& machine, const Buffer& input,
             const Buffer& output) {
    const std::int64_t block_bytes = output.chunk_bytes;
    const Scratch scratch(machine.program().scratch_chunks * block_bytes);
    const Binding binding{.input = input,
                          .output = output,
                          .scratch = Buffer::contiguous(scratch.data(), block_bytes),
                          .transport = &communicator.transport()};
    try {
        machine.run(binding);
    } catch (...) {
        communicator.transport().abandon();
        throw;
    }
}

/// Between a side of the call and packed bytes of ours; device memory is the host's to reach.
void pack(const Communicator& communicator, const Side& side, bool is_device,
          const Buffer& packed) {
    const int ranks = communicator.ranks();
    if (is_device) {
        pack_by_host(communicator, side.address, ranks * side.count, side.elements.type(),
                     packed.base, packed.bytes(ranks));
    } else {
        copy_chunks(side.buffer(), output(0, ranks), packed, output(0, ranks));
    }
}

void unpack(const Communicator& communicator, const Buffer& packed, bool is_device,
            const Side& side) {
    const int ranks = communicator.ranks();
    if (is_device) {
        unpack_by_host(communicator, packed.base, packed.bytes(ranks), side.address,
                       ranks * side.count, side.elements.type());
    } else {
        copy_chunks(packed, output(0, ranks), side.buffer(), output(0, ranks));
    }
}

void run(Communicator& communicator, StepMachine& machine, const Side& send, const Side& receive) {
    const bool is_in_place = send.address == MPI_IN_PLACE;
    // Device memory that no rank could know of when the ranks agreed about it.
    const bool late_device = !communicator.may_meet_device_memory() && device_runtime_is_loaded();
    if (!late_device && !is_in_place && send.layout.is_plain && receive.layout.is_plain)
        [[likely]] {
        return execute(communicator, machine, send.buffer(), receive.buffer());
    }
    const bool device_receive = late_device && is_device_memory(receive.address);
    const bool device_send =
        is_in_place ? device_receive : late_device && is_device_memory(send.address);
    const bool only_bytes = process().host_needs_bytes;
    const bool pack_input = is_in_place || device_send || (only_bytes && !send.layout.is_plain);
    const bool unpack_output = device_receive || (only_bytes && !receive.layout.is_plain);

    const int ranks = communicator.ranks();
    const std::int64_t block_bytes = receive.block_bytes();
    const Scratch packed_input(pack_input ? ranks * block_bytes : 0);
    const Scratch packed_output(unpack_output ? ranks * block_bytes : 0);
    Buffer input = send.buffer();
    Buffer output = receive.buffer();
    if (pack_input) {
        input = Buffer::contiguous(packed_input.data(), block_bytes);
        pack(communicator, is_in_place ? receive : send, device_send, input);
    }
    if (unpack_output) output = Buffer::contiguous(packed_output.data(), block_bytes);
    execute(communicator, machine, input, output);
    if (unpack_output) unpack(communicator, output, device_receive, receive);
}

/// Whether the host takes the type in a message: derived ones may not have been committed.
bool can_be_sent(const Communicator& communicator, const Side& side) {
    if (side.layout.is_predefined) return true;
    std::byte unused{};
    return PMPI_Recv(&unused, 1, side.elements.type(), MPI_PROC_NULL, 0, communicator.own(),
                     MPI_STATUS_IGNORE) == MPI_SUCCESS;
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
        host::TypeLayout receive_layout;
        bool are_valid = host::layout_of(receive_type, receive_layout);
        host::TypeLayout send_layout = receive_layout;
        if (send_type != receive_type) are_valid &= host::layout_of(send_type, send_layout);
        if (!are_valid) return to_the_host("its datatypes are invalid");
        Side from(const_cast<void*>(send), send_count, send_type, send_layout);
        Side to(receive, receive_count, receive_type, receive_layout);
        // The signatures of all ranks are equal, so that what follows is decided alike.
        if (from.block_bytes() != to.block_bytes()) {
            return to_the_host("the sizes of what is sent and received differ");
        }
        if (to.block_bytes() == 0) return to_the_host("there is nothing to move");
        if (from.is_missing() || to.is_missing()) return to_the_host("its arguments are invalid");

        Communicator* communicator = Communicator::of(parent);
        if (communicator == nullptr) {
            return to_the_host("the communicator is an inter-communicator, or could not be copied");
        }
        if (!can_be_sent(*communicator, from) || !can_be_sent(*communicator, to)) {
            return to_the_host("its datatypes are not committed");
        }
        if (communicator->may_meet_device_memory() &&
            any_device_memory(*communicator, is_in_place ? nullptr : send, receive)) {
            return to_the_host("a buffer is in device memory");
        }
        const Choice* choice = current_choice(Collective::alltoall);
        if (choice->algorithm == nullptr) return to_the_host("");
        Prepared& prepared = communicator->programs().get(choice);
        if (prepared.misses != nullptr) return to_the_host(prepared.misses);
        from.leave_bottom();
        to.leave_bottom();
        run(*communicator, *prepared.machine, from, to);
        note_call(Collective::alltoall, choice, "");
        return {true, MPI_SUCCESS};
    } catch (const TransportError& error) {
        return fail(parent, error.code());
    } catch (const std::bad_alloc&) {
        return fail(parent, MPI_ERR_NO_MEM);
    } catch (const std::exception& error) {
        say(std::string("MPI_Alltoall failed inside Tasuki: ") + error.what());
        return fail(parent, MPI_ERR_INTERN);
    }
}

}  // namespace tasuki::interpose

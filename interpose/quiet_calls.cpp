#include "interpose/quiet_calls.hpp"

#include <algorithm>
#include <iterator>
#include <new>

#include "interpose/abort_run.hpp"
#include "interpose/predefined.hpp"
#include "interpose/reduction_check.hpp"
#include "interpose/run_choice.hpp"
#include "interpose/run_report.hpp"
#include "interpose/scratch.hpp"
#include "transport/host/datatype.hpp"

namespace tasuki::interpose {

constinit thread_local CallInHand call_in_hand = {};
constinit thread_local QuietCalls* QuietCalls::of_this_thread = nullptr;

/// A program may call MPI once more when the thread-local variables of its thread are gone, as in
/// destructors of global ones: what it gets then stays until the process ends.
[[gnu::cold]] void QuietCalls::make() {
    struct End {
        ~End() {
            delete of_this_thread;
            of_this_thread = nullptr;
        }
    };
    thread_local const End at_end_of_thread;
    static_cast<void>(at_end_of_thread);
    of_this_thread = new (std::nothrow) QuietCalls;
    if (of_this_thread == nullptr) abort_run("has no memory for what a thread keeps of its calls");
}

QuietCall& QuietCalls::Place::replace(const CallArguments& arguments) {
    QuietCall& call = calls[next++ % std::size(calls)];
    call = QuietCall();
    call.arguments_ = arguments;
    return call;
}

/// Handles of the program's own types and operations may come to mean something else, and
/// reductions that are checked are not left to the host alone. A report counts every call.
bool QuietCall::may_be_kept() const {
    if (is_reporting()) return false;
    const MPI_Op operation = arguments_.operation;
    if (operation != MPI_Op{} && (checks_reductions() || !predefined_operation(operation))) {
        return false;
    }
    return std::all_of(std::begin(arguments_.types), std::end(arguments_.types),
                       [](MPI_Datatype type) {
                           host::TypeLayout layout;
                           return type == MPI_Datatype{} ||
                                  (host::layout_of(type, layout) && layout.is_predefined);
                       });
}

std::uint64_t CallInHand::began_of_same(std::uint64_t asked) const {
    if (is_known_run()) return running_since;
    return quiet != nullptr && quiet->may_be_kept() ? asked - (chosen - began) : asked;
}

void CallInHand::note_run(const KnownRun& what, const Work& work) {
    if (work.input.uneven != nullptr || work.output.uneven != nullptr || work.scratch != nullptr) {
        return;
    }
    const auto is_program_memory = [&](const Buffer& buffer, const void* address) {
        return buffer.base == address && buffer.type == nullptr &&
               buffer.chunk_bytes == what.unit_bytes && buffer.chunk_distance == what.unit_bytes;
    };
    const bool reads = work.input.base != nullptr, writes = work.output.base != nullptr;
    if ((reads && !is_program_memory(work.input, buffers.send)) ||
        (writes && !is_program_memory(work.output, buffers.receive))) {
        return;
    }
    run = what;
    run.reads = reads;
    run.writes = writes;
}

void QuietCall::remember(Communicator& communicator, const Turn& turn) {
    communicator_ = nullptr;
    // Which of the candidates the host's first calls ran by is not known yet.
    if (turn.size != nullptr && turn.size->selector() == nullptr) return;
    const Choice* const ran = ran_by(turn);
    if (ran != nullptr && (!may_be_ours() || call_in_hand.run.machine == nullptr)) return;
    if (!may_be_kept()) return;
    if (arguments_.has_block_counts) {
        block_counts_ = digest_of(call_in_hand.block_counts, communicator.ranks());
    }
    communicator_ = &communicator;
    size_ = turn.size;
    candidate_ = turn.plan.candidate;
    ran_ = ran;
    run_ = ran != nullptr ? call_in_hand.run : KnownRun{};
    generation_ = Communicator::generation_now();
    switches_ = switch_changes.load(std::memory_order_relaxed);
}

int QuietCall::run_and_tell(CallBuffers buffers) {
    SelectedSize* const size = take_timed();
    if (size == nullptr) return run(buffers);
    const std::uint64_t began = selection_clock();
    const int result = run(buffers);
    if (result == MPI_SUCCESS) size->sample(seconds_since(began));
    return result;
}

[[gnu::hot]] int QuietCall::run(CallBuffers buffers) {
    const std::int64_t unit_bytes = run_.unit_bytes;
    const auto buffer = [&](bool is_used, const void* address) {
        return Buffer::contiguous(is_used ? const_cast<void*>(address) : nullptr, unit_bytes);
    };
    const bool is_posted = run_.boards != nullptr;
    try {
        const Scratch scratch(
            static_cast<std::size_t>(run_.machine->scratch_chunks(is_posted) * unit_bytes));
        const Binding binding{.input = buffer(run_.reads, buffers.send),
                              .output = buffer(run_.writes, buffers.receive),
                              .scratch = Buffer::contiguous(scratch.data(), unit_bytes),
                              .transport = &communicator_->transport(run_.machine->carrier()),
                              .first_tag = communicator_->tags().first(),
                              .combine = run_.combine};
        run_.machine->run(binding, run_.boards);
        return MPI_SUCCESS;
    } catch (...) {
        return end_failed_call(arguments_.collective, arguments_.communicator).code;
    }
}

}  // namespace tasuki::interpose

#include "interpose/quiet_calls.hpp"

#include <iterator>
#include <new>
#include <optional>

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
constinit QuietCall no_quiet_call;

namespace {

constexpr LastQuietCalls none() {
    LastQuietCalls calls{};
    calls.fill(&no_quiet_call);
    return calls;
}

}  // namespace

constinit thread_local LastQuietCalls last_quiet_calls = none();

/// A program may call MPI once more when the thread-local variables of its thread are gone, as in
/// destructors of global ones: what it gets then stays until the process ends.
[[gnu::cold]] void QuietCalls::make() {
    struct End {
        ~End() {
            for (std::size_t index = 0; index < collectives; ++index) note_last(Collective(index));
            delete of_this_thread;
            of_this_thread = nullptr;
        }
    };
    thread_local const End at_end_of_thread;
    static_cast<void>(at_end_of_thread);
    of_this_thread = new (std::nothrow) QuietCalls;
    if (of_this_thread == nullptr) abort_run("has no memory for what a thread keeps of its calls");
}

QuietCall& QuietCalls::replace(std::size_t place, const CallArguments& arguments) {
    QuietCall& call = places_[place][next_[place]++ % calls_of_place];
    const Collective collective = call.arguments_.collective();
    if (last_quiet_calls[static_cast<std::size_t>(collective)] == &call) note_last(collective);
    call = QuietCall(arguments);
    return call;
}

namespace {

/// Whether the type of this side is one that the call goes by on this rank. What does not count may
/// be anything, no type at all even: where the side is in place, and of blocks of other ranks than
/// the root. Nothing where that is not known any more, because another thread has freed some
/// communicator meanwhile.
std::optional<bool> counts_here(const CallArguments& arguments, int side) {
    if (arguments.types[side] == MPI_Datatype{}) return false;
    const bool is_reduction = arguments.operation != MPI_Op{};
    const bool is_in_place =
        (arguments.special_buffers() >> (2 * side) & special(MPI_IN_PLACE)) != 0;
    if (is_in_place && !is_reduction) return false;
    const bool is_gather = arguments.collective() == Collective::gather;
    const bool is_of_root =
        is_gather ? side == 1 : arguments.collective() == Collective::scatter && side == 0;
    if (!is_of_root) return true;
    const Communicator* const communicator = Communicator::of_recent_call(arguments.communicator);
    if (communicator == nullptr) return std::nullopt;
    return communicator->rank() == arguments.root();
}

}  // namespace

/// Handles of the program's own types and operations may come to mean something else, and
/// reductions that are checked are not left to the host alone. A report counts every call.
bool QuietCall::may_be_kept() const {
    if (is_reporting() || device_runtime_is_loaded()) return false;
    const MPI_Op operation = arguments_.operation;
    if (operation != MPI_Op{} && (checks_reductions() || !predefined_operation(operation))) {
        return false;
    }
    for (int side = 0; side < 2; ++side) {
        host::TypeLayout layout;
        const std::optional<bool> counts = counts_here(arguments_, side);
        if (!counts) return false;
        if (*counts && !(host::layout_of(arguments_.types[side], layout) && layout.is_predefined)) {
            return false;
        }
    }
    return true;
}

bool QuietCall::binds(const KnownRun& run, Communicator& communicator, const CallBuffers& buffers,
                      const CallArrays& arrays) const {
    KnownBlocks& blocks = QuietCalls::of_thread().blocks();
    return blocks.bind(arguments_, run, communicator, buffers, arrays);
}

void QuietCall::note_elements(KnownRun& run) const {
    for (int side = 0; side < 2; ++side) {
        host::TypeLayout layout;
        const bool is_plain = counts_here(arguments_, side).value_or(false) &&
                              host::layout_of(arguments_.types[side], layout) && layout.is_plain;
        run.element_bytes[side] = is_plain ? layout.size : 0;
    }
}

std::uint64_t CallInHand::began_of_same(std::uint64_t asked) const {
    if (is_known_run()) return running_since;
    return quiet != nullptr && quiet->may_be_kept() ? asked - (chosen - began) : asked;
}

void CallInHand::note_run(const KnownRun& what, const Work& work, Communicator& communicator) {
    if (work.input.uneven != nullptr || work.output.uneven != nullptr || work.scratch != nullptr) {
        if (quiet == nullptr) return;
        run = what;
        run.is_uneven = true;
        quiet->note_elements(run);
        if (!quiet->binds(run, communicator, buffers, arrays)) run.machine = nullptr;
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
    changes_ = never;
    // Which of the candidates the host's first calls ran by is not known yet.
    if (turn.size != nullptr && turn.size->selector() == nullptr) return;
    const Choice* const ran = ran_by(turn);
    if (ran != nullptr && call_in_hand.run.machine == nullptr) return;
    if (!may_be_kept()) return;
    if (arguments_.has_block_counts()) {
        block_counts_ = 0;
        const Integers& counts = call_in_hand.arrays.counts[1];
        for (int rank = 0; rank < communicator.ranks(); ++rank) block_counts_ += counts[rank];
    }
    // Where a row was asked for by name, only if it needs room that they agree on.
    agrees_ = arguments_.agrees_about_sizes() &&
              ((turn.size != nullptr && communicator.agrees_about_sizes(arguments_.collective())) ||
               (ran != nullptr && ran->algorithm->needs_capacity));
    communicator_ = &communicator;
    calls_ = &communicator.call_count();
    size_ = turn.size;
    candidate_ = turn.plan.candidate;
    ran_ = ran;
    reason_ = "";
    run_ = ran != nullptr ? call_in_hand.run : KnownRun{};
    // What has run may be gone since.
    changes_ = ran != nullptr ? run_.changes : known_call_changes.load(std::memory_order_acquire);
}

void QuietCall::note_nothing(const char* reason) {
    // What is known of such a call is known of another sum.
    if (arguments_.has_block_counts()) return;
    changes_ = never;
    try {
        if (!may_be_kept()) return;
    } catch (...) {
        // What is wrong with its type is the host's to say.
        return;
    }
    CallCount& uncounted = QuietCalls::of_thread().uncounted();
    uncounted = CallCount::without_looks();  // anew: at the greatest count they would look
    *this = QuietCall(arguments_);
    calls_ = &uncounted;
    reason_ = reason;
    changes_ = known_call_changes.load(std::memory_order_acquire);
}

int QuietCall::run_and_tell(const CallBuffers& buffers) {
    CallTiming timing(*this);
    const int result = run(buffers);
    if (result != MPI_SUCCESS) timing.note_failure();
    timing.end();
    return result;
}

[[gnu::hot]] int QuietCall::run(CallBuffers buffers) {
    const std::int64_t unit_bytes = run_.unit_bytes;
    const auto buffer = [&](bool is_used, const void* address) {
        return Buffer::contiguous(is_used ? const_cast<void*>(address) : nullptr, unit_bytes);
    };
    const bool is_posted = run_.boards != nullptr;
    try {
        const KnownBlocks* const blocks =
            run_.is_uneven ? &QuietCalls::of_thread().blocks() : nullptr;
        const UnevenChunks* const uneven = blocks != nullptr ? blocks->scratch() : nullptr;
        const std::int64_t units =
            uneven != nullptr ? uneven->cut.back() : run_.machine->scratch_chunks(is_posted);
        const Scratch scratch(static_cast<std::size_t>(units * unit_bytes));
        Binding binding{
            .input = blocks != nullptr ? blocks->input() : buffer(run_.reads, buffers.send),
            .output = blocks != nullptr ? blocks->output() : buffer(run_.writes, buffers.receive),
            .scratch = Buffer::contiguous(scratch.data(), unit_bytes),
            .transport = &communicator_->transport(run_.machine->carrier()),
            .first_tag = communicator_->tags().first(),
            .combine = run_.combine};
        binding.scratch.uneven = uneven;
        run_.machine->run(binding, run_.boards);
        return MPI_SUCCESS;
    } catch (...) {
        return end_failed_call(arguments_.collective(), arguments_.communicator).code;
    }
}

}  // namespace tasuki::interpose

#include "interpose/quiet_calls.hpp"

#include <algorithm>
#include <iterator>

#include "interpose/predefined.hpp"
#include "interpose/reduction_check.hpp"
#include "interpose/run_choice.hpp"
#include "interpose/run_report.hpp"
#include "interpose/scratch.hpp"
#include "transport/host/datatype.hpp"

namespace tasuki::interpose {

constinit thread_local QuietCall* quiet_call = nullptr;

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

void QuietCall::note_post(const KnownPost& post, const Buffer& input, const Buffer& output) {
    const auto is_program_memory = [&](const Buffer& buffer, const void* address) {
        return buffer.base == address && buffer.type == nullptr &&
               buffer.chunk_bytes == post.unit_bytes && buffer.chunk_distance == post.unit_bytes;
    };
    const bool reads = input.base != nullptr, writes = output.base != nullptr;
    if ((reads && !is_program_memory(input, buffers_.send)) ||
        (writes && !is_program_memory(output, buffers_.receive))) {
        return;
    }
    seen_ = post;
    seen_.reads = reads;
    seen_.writes = writes;
}

void QuietCall::remember(Communicator& communicator, const Turn& turn) {
    communicator_ = nullptr;
    // Which of the candidates the host's first calls ran by is not known yet.
    if (turn.size != nullptr && turn.size->selector() == nullptr) return;
    const bool is_ours = turn.choice->algorithm != nullptr;
    if (is_ours && seen_.round == nullptr) return;
    if (!may_be_kept()) return;
    communicator_ = &communicator;
    size_ = turn.size;
    candidate_ = turn.plan.candidate;
    ran_ = is_ours ? turn.choice : nullptr;
    post_ = is_ours ? seen_ : KnownPost{};
    generation_ = Communicator::generation_now();
    switches_ = switch_changes.load(std::memory_order_relaxed);
}

[[gnu::hot]] int QuietCall::post(Collective collective, const CallBuffers& buffers) {
    const std::int64_t unit_bytes = post_.unit_bytes;
    const auto buffer = [&](bool is_used, const void* address) {
        return Buffer::contiguous(is_used ? const_cast<void*>(address) : nullptr, unit_bytes);
    };
    try {
        const Scratch scratch(static_cast<std::size_t>(post_.scratch_units * unit_bytes));
        const Binding binding{.input = buffer(post_.reads, buffers.send),
                              .output = buffer(post_.writes, buffers.receive),
                              .scratch = Buffer::contiguous(scratch.data(), unit_bytes),
                              .combine = post_.combine};
        post_.round->run(binding, *post_.boards);
        return MPI_SUCCESS;
    } catch (...) {
        communicator_->transport(Carrier::memory).abandon();
        return end_failed_call(collective, arguments_.communicator).code;
    }
}

}  // namespace tasuki::interpose

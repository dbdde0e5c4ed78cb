// What one rank does in a collective: steps and what each must come after.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "schedule/region.hpp"

namespace tasuki {

/// A step's place in its program; steps come after steps of lower number only.
using StepId = std::uint32_t;

enum class StepKind : std::uint8_t { send, recv, copy, reduce };

std::string_view name_of(StepKind kind);

/// Which operand of a reduction the region `from` is: `left` makes to = from op to, `right` makes
/// to = to op from. The order counts for operations that do not commute, and for the bits of
/// floating-point sums.
enum class Operand : std::uint8_t { left, right };

/// One step. A send reads `from`, a recv writes `to`, a copy does both, a reduce reads both and
/// writes `to`. The regions of a message are contiguous, so that packing is always a copy that can
/// be seen, verified and costed.
struct Step {
    StepKind kind;
    Operand from_operand = Operand::left;  ///< reduce only
    std::int32_t peer = -1;                ///< send and recv only
    /// Send and recv only: how many messages this program sends to (receives from) the same peer
    /// in earlier steps. The message with this number of the sender meets the recv with this number
    /// of the receiver, so a message is matched whatever order the steps are started in.
    std::int32_t message = 0;
    Region from = nothing();
    Region to = nothing();
    std::uint32_t after_begin = 0;  ///< into Program::after_steps
    std::uint32_t after_count = 0;

    bool is_message() const { return kind == StepKind::send || kind == StepKind::recv; }

    friend bool operator==(const Step&, const Step&) = default;
};

/// Chunks of a collective may differ in size: a count that the number of chunks does not divide,
/// blocks of allgatherv. Then sizes have numbers, which the contract gives to input and output
/// chunks, and a program to its scratch chunks. A chunk of this size can hold any other, and has
/// the same room on all ranks.
inline constexpr std::int32_t any_size = -1;

/// `count` scratch chunks of the sizes first_size, first_size + 1, ..., or all of any_size.
struct SizeRun {
    std::int32_t count;
    std::int32_t first_size;

    friend bool operator==(const SizeRun&, const SizeRun&) = default;
};

/// The steps of one rank. Memory: 60 bytes a step, 4 a dependency and 8 a run of sizes.
struct Program {
    std::int32_t input_chunks = 0;
    std::int32_t output_chunks = 0;
    /// Blocks are two chunks each: the first half of the input and of the output are their heads,
    /// which fit into a size that all ranks agree on, the second half what is left of them, their
    /// tails, mostly nothing.
    bool has_tails = false;
    std::int32_t scratch_chunks = 0;
    std::vector<SizeRun> scratch_sizes;  ///< of the first scratch chunks; those after: any_size
    std::vector<Step> steps;
    std::vector<StepId> after_steps;

    /// The steps that must have completed before `step` starts.
    std::span<const StepId> after(const Step& step) const {
        return {after_steps.data() + step.after_begin, step.after_count};
    }
    /// Whether a step moves nothing but tails.
    bool moves_tails(const Step& step) const {
        return has_tails && (is_tail(step.from, Space::input, input_chunks) ||
                             is_tail(step.to, Space::output, output_chunks));
    }

    /// [scratch chunk] the number of its size, or any_size.
    std::vector<std::int32_t> scratch_size_numbers() const {
        std::vector<std::int32_t> numbers;
        numbers.reserve(static_cast<std::size_t>(scratch_chunks));
        for (const SizeRun& run : scratch_sizes) {
            for (std::int32_t i = 0; i < run.count; ++i) {
                numbers.push_back(run.first_size == any_size ? any_size : run.first_size + i);
            }
        }
        numbers.resize(static_cast<std::size_t>(scratch_chunks), any_size);
        return numbers;
    }

    friend bool operator==(const Program&, const Program&) = default;

  private:
    static bool is_tail(const Region& region, Space space, std::int32_t chunks) {
        return region.space == space && !region.empty() && region.first >= chunks / 2;
    }
};

}  // namespace tasuki

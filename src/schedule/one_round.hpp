// Schedules of one round: no message of a rank comes after one that it receives, and all that it
// sends is there at the same time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "schedule/post_layout.hpp"
#include "schedule/program.hpp"

namespace tasuki {

/// [step] whether it comes, by any number of steps, after one that is received.
std::vector<bool> steps_after_receipts(const Program& program);

/// On one node such a schedule can be *posted*: each rank writes all that it sends in one piece,
/// each region once, and the others read what they want of it. Sizes are chunks.
struct OneRound {
    std::int64_t most_posted = 0;    ///< of any rank
    std::int64_t most_received = 0;  ///< of any rank
    std::int64_t most_receipts = 0;  ///< messages to any rank
    std::int64_t all_posted = 0;
    std::int64_t all_sent = 0;

    /// Most bytes of a post whose parts have a reader each: a larger one saves less than it costs
    /// to write where others have read before,
    static constexpr std::int64_t most_bytes_to_one = 1072;
    /// and of one that is mostly read by several.
    static constexpr std::int64_t most_bytes_to_many = 262144;

    /// With more ranks nobody makes the programs of all to find out.
    static constexpr std::int32_t most_ranks = 64;

    bool has_many_readers() const { return all_sent >= 2 * all_posted; }
    /// Whether posting is better than sending, for chunks of so many bytes.
    bool is_better_posted(std::int64_t chunk_bytes) const {
        const std::int64_t bytes = most_posted * chunk_bytes;
        return bytes <= (has_many_readers() ? most_bytes_to_many : most_bytes_to_one);
    }

    /// Takes in the program of one more rank; false if it is not of one round.
    bool add(const Program& program, const PostLayout& layout);
};

/// What is told of each rank's program while it is there.
using SeeProgram =
    std::function<void(std::int32_t rank, const Program& program, const PostLayout& layout)>;

/// nullopt if the schedule is not of one round. `generate(rank)` makes the program of a rank. Costs
/// what they all do, or what is needed to find one that is not of one round.
std::optional<OneRound> one_round_of(
    std::int32_t ranks, const std::function<Program(std::int32_t)>& generate,
    const SeeProgram& see = [](std::int32_t, const Program&, const PostLayout&) {});

}  // namespace tasuki

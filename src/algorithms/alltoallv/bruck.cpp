#include <algorithm>
#include <utility>
#include <vector>

#include "algorithms/digits.hpp"
#include "algorithms/generators.hpp"
#include "algorithms/partial.hpp"
#include "algorithms/partners.hpp"
#include "algorithms/rank_runs.hpp"
#include "schedule/builder.hpp"

namespace tasuki::alltoallv {

namespace {

// Slot i holds the head of a block that has still to travel some of the digits of i to the right:
// at first that for rank + i, at the end that from rank - i. Nobody on the way knows how large it
// is, so that slots travel whole. Slot 0, the block of the rank itself, is never used.
class PaddedBruck {
  public:
    PaddedBruck(std::int32_t rank, std::int32_t ranks, std::int64_t radix)
        : rank_(rank), ranks_(ranks), radix_(radix), program_(2 * ranks, 2 * ranks) {
        program_.split_blocks();
    }

    Program finish() {
        slots_ = program_.reserve_scratch(ranks_);
        packed_ = program_.reserve_scratch(ranks_);
        arriving_ = program_.reserve_scratch(ranks_);
        std::int32_t slot = slots_ + 1;
        const std::int32_t next = shifted(rank_, 1, ranks_).destination;
        for (const RankRun& run : cyclic_runs(next, ranks_ - 1, ranks_)) {
            before_.push_back(program_.copy(input(run.first, run.count), scratch(slot, run.count)));
            slot += run.count;
        }
        for (std::int64_t weight = 1; weight < ranks_; weight *= radix_) move_position(weight);
        // Slot i is for output chunk rank - i: downwards to 0, and from the last one on.
        if (rank_ > 0) {
            program_.copy(scratch(slots_ + 1, rank_), downwards(rank_ - 1, rank_), before_);
        }
        if (rank_ + 1 < ranks_) {
            program_.copy(scratch(slots_ + rank_ + 1, ranks_ - rank_ - 1),
                          downwards(ranks_ - 1, ranks_ - rank_ - 1), before_);
        }
        program_.copy(input(rank_), output(rank_));
        move_tails();
        return program_.finish();
    }

  private:
    static Region downwards(std::int32_t first, std::int32_t count) {
        return strided(Space::output, first, count, 1, -1);
    }

    /// The slots whose digit of this weight has this value.
    Region slots(std::int64_t weight, std::int64_t value) const {
        return slots_with_digit(slots_, ranks_, radix_, weight, value);
    }

    void move_tails() {
        for (std::int32_t distance = 1; distance < ranks_; ++distance) {
            const auto [destination, source] = shifted(rank_, distance, ranks_);
            program_.recv(source, output(ranks_ + source));
            program_.send(destination, input(ranks_ + destination));
        }
        program_.copy(input(ranks_ + rank_), output(ranks_ + rank_));
    }

    void move_position(std::int64_t weight) {
        std::vector<StepId> done;
        std::int32_t used = 0;
        for (std::int64_t value = 1; value < radix_ && value * weight < ranks_; ++value) {
            const Region moved = slots(weight, value);
            const auto distance = static_cast<std::int32_t>(value * weight);
            const auto [destination, source] = shifted(rank_, distance, ranks_);
            const Region packed = scratch(packed_ + used, moved.count);
            const Region arrived = scratch(arriving_ + used, moved.count);
            const StepId packing = program_.copy(moved, packed, before_);
            done.push_back(program_.send(destination, packed, {packing}));
            const StepId received = program_.recv(source, arrived, before_);
            done.push_back(program_.copy(arrived, moved, {packing, received}));
            used += moved.count;
        }
        before_ = program_.gathered(std::move(done));
    }

    std::int32_t rank_;
    std::int32_t ranks_;
    std::int64_t radix_;
    ProgramBuilder program_;
    std::int32_t slots_ = 0;
    std::int32_t packed_ = 0;
    std::int32_t arriving_ = 0;
    std::vector<StepId> before_;
};

}  // namespace

Program bruck(std::int32_t rank, const Instance& instance) {
    return PaddedBruck(rank, instance.ranks, instance.parameters.get("radix")).finish();
}

}  // namespace tasuki::alltoallv

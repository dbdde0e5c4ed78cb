#include <algorithm>
#include <utility>
#include <vector>

#include "algorithms/digits.hpp"
#include "algorithms/generators.hpp"
#include "algorithms/partners.hpp"
#include "schedule/builder.hpp"

namespace tasuki::alltoall {

namespace {

// Slot i of a rank holds a block that has still to travel some of the digits of i to the right: at
// first the block for rank + i, at the end the block from rank - i. A round moves all slots that
// have digit `value` at position `weight`, by value * weight ranks. The rounds of one position are
// independent and run at the same time.
//
// Positions go from high to low. A slot without a higher digit has then never moved, so that it is
// still in the input; the first position needs no copies at all, unless a run of blocks wraps
// around at the last rank. Slots that have moved are kept in scratch, until the last position puts
// them where the output wants them. So the textbook's three copies (rotate, pack and unpack in
// every round, invert) shrink to packing and unpacking from the second position on.
class Bruck {
  public:
    Bruck(std::int32_t rank, std::int32_t ranks, std::int64_t radix)
        : rank_(rank), ranks_(ranks), radix_(radix), program_(ranks, ranks) {
        while (highest_ * radix_ < ranks_) highest_ *= radix_;
        if (highest_ == 1) return;  // every block goes straight from input to output
        kept_ = program_.reserve_scratch(ranks_);
        std::int32_t most = slots(highest_, 1).count;
        for (std::int64_t weight = highest_ / radix_; weight > 0; weight /= radix_) {
            std::int32_t moved = 0;
            for (std::int64_t value = 1; value < radix_; ++value) {
                moved += slots(weight, value).count;
            }
            most = std::max(most, moved);
        }
        packed_ = program_.reserve_scratch(most);
        arriving_ = program_.reserve_scratch(most);
    }

    Program finish() {
        for (std::int64_t weight = highest_; weight > 0; weight /= radix_) {
            if (weight == 1) output_slots_that_stay();
            move_position(weight);
        }
        program_.copy(input(rank_), output(rank_));
        return program_.finish();
    }

  private:
    /// The slots of a round: those of position `weight` with digit `value`, where they are kept.
    Region slots(std::int64_t weight, std::int64_t value) const {
        return slots_with_digit(kept_, ranks_, radix_, weight, value);
    }

    void move_position(std::int64_t weight) {
        std::vector<StepId> done;
        std::int32_t used = 0;
        for (std::int64_t value = 1; value < radix_ && value * weight < ranks_; ++value) {
            const Region moved = slots(weight, value);
            const auto distance = static_cast<std::int32_t>(value * weight);
            if (moved.is_contiguous()) {
                move_first_block(distance, moved, weight == 1, used, done);
            } else {
                move_slots(distance, moved, weight == 1, used, done);
            }
            used += moved.count;
        }
        before_ = program_.gathered(std::move(done));
    }

    /// A round whose slots have no higher digit: from the input, straight to where they stay.
    void move_first_block(std::int32_t distance, const Region& moved, bool last, std::int32_t used,
                          std::vector<StepId>& done) {
        const auto [destination, source] = shifted(rank_, distance, ranks_);
        done.push_back(program_.recv(source, last ? output(source) : moved, before_));
        if (destination + std::int64_t{moved.count} <= ranks_) {
            done.push_back(program_.send(destination, input(destination, moved.count), before_));
            return;
        }
        const std::int32_t packed = packed_ + (distance == highest_ ? 0 : used);
        const std::vector<StepId> packs = pack_from_input(destination, moved.count, packed);
        done.push_back(program_.send(destination, scratch(packed, moved.count), packs));
    }

    /// A round of several blocks of slots, all but the first of which have moved before.
    void move_slots(std::int32_t distance, const Region& moved, bool last, std::int32_t used,
                    std::vector<StepId>& done) {
        const auto [destination, source] = shifted(rank_, distance, ranks_);
        const Region arriving = scratch(arriving_ + used, moved.count);
        const StepId received = program_.recv(source, arriving, before_);
        const std::int32_t packed = packed_ + used;
        std::vector<StepId> packs = pack_from_input(destination, moved.block, packed);
        const std::int32_t rest = moved.count - moved.block;
        packs.push_back(program_.copy(
            strided(Space::scratch, moved.first + moved.stride, rest, moved.block, moved.stride),
            scratch(packed + moved.block, rest), before_));
        done.push_back(program_.send(destination, scratch(packed, moved.count), packs));
        if (last) {
            copy_to_output(arriving.first, 1, moved.count, distance, {received}, done);
        } else {
            packs.push_back(received);
            done.push_back(program_.copy(arriving, moved, packs));
        }
    }

    /// Packs `count` slots that have not moved, the first of which is the block for `destination`.
    std::vector<StepId> pack_from_input(std::int32_t destination, std::int32_t count,
                                        std::int32_t packed) {
        const std::int32_t until_wrap = std::min(count, ranks_ - destination);
        std::vector<StepId> packs = {
            program_.copy(input(destination, until_wrap), scratch(packed, until_wrap), before_)};
        if (until_wrap < count) {
            const std::int32_t rest = count - until_wrap;
            packs.push_back(
                program_.copy(input(0, rest), scratch(packed + until_wrap, rest), before_));
        }
        return packs;
    }

    /// The slots with last digit 0 are at their end before the last position.
    void output_slots_that_stay() {
        const std::int64_t count = (ranks_ - 1) / radix_;
        if (count == 0) return;
        const auto radix = static_cast<std::int32_t>(radix_);
        std::vector<StepId> done;
        copy_to_output(kept_ + radix, radix, static_cast<std::int32_t>(count), radix, before_,
                       done);
    }

    /// Copies slots `slot`, slot + radix, ..., which lie `step` scratch chunks apart from `first`
    /// on, to their place: the block in slot i came from rank - i.
    void copy_to_output(std::int32_t first, std::int32_t step, std::int32_t count,
                        std::int32_t slot, After after, std::vector<StepId>& done) {
        const auto radix = static_cast<std::int32_t>(radix_);
        const std::int32_t source = shifted(rank_, slot, ranks_).source;
        const std::int32_t until_wrap = std::min(count, source / radix + 1);
        done.push_back(program_.copy(strided(Space::scratch, first, until_wrap, 1, step),
                                     strided(Space::output, source, until_wrap, 1, -radix), after));
        if (until_wrap == count) return;
        const std::int32_t rest = count - until_wrap;
        done.push_back(program_.copy(
            strided(Space::scratch, first + until_wrap * step, rest, 1, step),
            strided(Space::output, source - until_wrap * radix + ranks_, rest, 1, -radix), after));
    }

    std::int32_t rank_;
    std::int32_t ranks_;
    std::int64_t radix_;
    std::int64_t highest_ = 1;  // weight of the highest position
    ProgramBuilder program_;
    std::int32_t kept_ = 0;      // scratch chunk of slot 0
    std::int32_t packed_ = 0;    // scratch chunks that are sent
    std::int32_t arriving_ = 0;  // scratch chunks that are received
    std::vector<StepId> before_;
};

}  // namespace

Program bruck(std::int32_t rank, const Instance& instance) {
    return Bruck(rank, instance.ranks, instance.parameters.get("radix")).finish();
}

}  // namespace tasuki::alltoall

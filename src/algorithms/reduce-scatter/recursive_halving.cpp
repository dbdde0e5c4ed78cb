#include "algorithms/generators.hpp"
#include "algorithms/pair_fold.hpp"
#include "algorithms/partial.hpp"
#include "schedule/builder.hpp"

namespace tasuki::reduce_scatter {

namespace {

class Halving {
  public:
    Halving(std::int32_t rank, std::int32_t ranks)
        : rank_(rank), ranks_(ranks), fold_(ranks), program_(ranks, 1) {}

    Program finish() {
        if (ranks_ == 1) {
            program_.copy(input(0), output(0));
        } else if (!fold_.takes_part(rank_)) {
            program_.send(fold_.mate(rank_), input(0, ranks_));
            program_.recv(fold_.mate(rank_), output(0));
        } else {
            take_part();
        }
        return program_.finish();
    }

  private:
    /// A run of blocks.
    struct Share {
        std::int32_t first;
        std::int32_t count;

        Region input() const { return tasuki::input(first, count); }
    };

    /// The blocks of the participants from `begin` to `end`.
    Share blocks_of(std::int32_t begin, std::int32_t end) const {
        const auto first = [&](std::int32_t number) {
            return number < fold_.rest() ? 2 * number : number + fold_.rest();
        };
        return {first(begin), first(end) - first(begin)};
    }

    Region sums(Share share) const {
        return scratch(sums_ + share.first - held_.first, share.count);
    }

    void take_part() {
        const bool in_pair = fold_.in_pair(rank_);
        if (in_pair) {
            held_ = {0, ranks_};
            sums_ = program_.reserve_scratch(ranks_, 0);
            const StepId received = program_.recv(fold_.mate(rank_), sums(held_));
            ready_ = {program_.reduce(held_.input(), Operand::left, sums(held_), {received})};
        }
        const std::int32_t number = fold_.number_of(rank_);
        for (std::int32_t distance = fold_.cube() / 2; distance > 0; distance /= 2) {
            const std::int32_t begin = number / distance * distance;
            const std::int32_t other = begin ^ distance;
            exchange(number ^ distance, blocks_of(begin, begin + distance),
                     blocks_of(other, other + distance), distance == 1 && !in_pair);
        }
        if (!in_pair) return;
        program_.copy(sums({rank_, 1}), output(0), ready_);
        program_.send(fold_.mate(rank_), sums({fold_.mate(rank_), 1}), ready_);
    }

    void exchange(std::int32_t number, Share kept, Share sent, bool ends) {
        const std::int32_t partner = fold_.member_of(number);
        const Operand own = partner > rank_ ? Operand::left : Operand::right;
        const bool is_input = held_.count == 0;
        program_.send(partner, is_input ? sent.input() : sums(sent), ready_);
        Region own_part = is_input ? kept.input() : sums(kept);
        if (ends) {
            const StepId received = program_.recv(partner, output(0));
            program_.reduce(own_part, own, output(0), joined(ready_, {received}));
            return;
        }
        const std::int32_t room = program_.reserve_scratch(kept.count, kept.first);
        const Region arrived = scratch(room, kept.count);
        const StepId received = program_.recv(partner, arrived);
        if (is_input) {
            held_ = kept;
            sums_ = room;
            ready_ = {program_.reduce(own_part, own, arrived, {received})};
        } else {
            ready_ = {
                program_.reduce(arrived, opposite(own), own_part, joined(ready_, {received}))};
        }
    }

    std::int32_t rank_;
    std::int32_t ranks_;
    PairFold fold_;
    ProgramBuilder program_;
    Share held_{0, 0};       // the blocks that there are sums of; none: the input is the sum
    std::int32_t sums_ = 0;  // scratch chunk of the first of them
    std::vector<StepId> ready_;
};

}  // namespace

Program recursive_halving(std::int32_t rank, const Instance& instance) {
    return Halving(rank, instance.ranks).finish();
}

}  // namespace tasuki::reduce_scatter

#include "algorithms/ordered_halving.hpp"

namespace tasuki {

OrderedHalving::OrderedHalving(ProgramBuilder& program, const PairFold& fold, std::int32_t rank,
                               const Region& sums)
    : program_(program),
      fold_(fold),
      rank_(rank),
      number_(fold.number_of(rank)),
      sums_(sums),
      held_{0, fold.cube()} {}

void OrderedHalving::reduce_scatter() {
    if (fold_.in_pair(rank_)) take_over();
    for (std::int32_t bit = 1; bit < fold_.cube(); bit *= 2) exchange(bit);
    if (!has_sums_) ready_ = {program_.copy(input(0, fold_.cube()), sums_)};
}

Region OrderedHalving::sums(Share share) const {
    return chunks(sums_.space, sums_.first + share.first, share.count);
}

void OrderedHalving::take_over() {
    const StepId received = program_.recv(fold_.mate(rank_), sums_);
    const Operand own = rank_ % 2 == 0 ? Operand::left : Operand::right;
    ready_ = {program_.reduce(input(0, fold_.cube()), own, sums_, {received})};
    has_sums_ = true;
}

void OrderedHalving::exchange(std::int32_t bit) {
    const std::int32_t partner = fold_.member_of(number_ ^ bit);
    const Share lower{held_.first, held_.count / 2};
    const Share upper{held_.first + held_.count / 2, held_.count / 2};
    const bool keeps_lower = (number_ & bit) == 0;
    Exchange made{partner, keeps_lower ? lower : upper, keeps_lower ? upper : lower, {}};
    const Operand own = keeps_lower ? Operand::left : Operand::right;
    if (has_sums_) {
        made.sends = {program_.send(partner, sums(made.sent), ready_)};
        const std::int32_t room = program_.reserve_scratch(made.kept.count, made.kept.first);
        const Region arrived = scratch(room, made.kept.count);
        const StepId received = program_.recv(partner, arrived);
        ready_ = {
            program_.reduce(arrived, opposite(own), sums(made.kept), joined(ready_, {received}))};
    } else {
        program_.send(partner, input(made.sent.first, made.sent.count));
        const StepId received = program_.recv(partner, sums(made.kept));
        ready_ = {program_.reduce(input(made.kept.first, made.kept.count), own, sums(made.kept),
                                  {received})};
        has_sums_ = true;
    }
    held_ = made.kept;
    exchanges_.push_back(made);
}

void OrderedHalving::receive_sent(const Exchange& exchange) {
    // What has been reduced into the sums before it was sent is over when the send is.
    ready_.push_back(program_.recv(exchange.partner, sums(exchange.sent), exchange.sends));
}

void OrderedHalving::allgather() {
    for (auto made = exchanges_.rbegin(); made != exchanges_.rend(); ++made) {
        program_.send(made->partner, sums(made->kept), ready_);
        receive_sent(*made);
    }
}

void OrderedHalving::gather(std::int32_t number) {
    std::int32_t bit = fold_.cube() / 2;
    for (auto made = exchanges_.rbegin(); made != exchanges_.rend(); ++made, bit /= 2) {
        if (((number_ ^ number) & bit) != 0) {
            program_.send(made->partner, sums(made->kept), ready_);
            return;
        }
        receive_sent(*made);
    }
}

}  // namespace tasuki

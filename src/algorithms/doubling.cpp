#include "algorithms/doubling.hpp"

#include <bit>
#include <optional>

#include "algorithms/growing_sum.hpp"
#include "algorithms/pair_fold.hpp"

namespace tasuki {

namespace {

Operand side_of(std::int32_t partner, std::int32_t member) {
    return partner > member ? Operand::right : Operand::left;
}

/// Hands the own part to `rank` and waits for the result.
Partial be_represented(ProgramBuilder& program, std::int32_t rank, const Partial& own,
                       const Region& into) {
    program.send(rank, own.region, own.after);
    return {into, {program.recv(rank, into)}};
}

}  // namespace

Partial allreduce_by_doubling(ProgramBuilder& program, const Group& group, const Partial& own,
                              const Region& into) {
    if (group.size() == 1) return {into, {program.copy(own.region, into, own.after)}};
    const PairFold fold(group.size());
    const std::int32_t member = group.index();
    const bool in_pair = fold.in_pair(member);
    const std::int32_t mate = in_pair ? group.rank_of(fold.mate(member)) : -1;
    if (!fold.takes_part(member)) return be_represented(program, mate, own, into);
    GrowingSum sum(program, own, into, into, fold.rounds() + (in_pair ? 1 : 0));
    if (in_pair) sum.receive(mate, Operand::right);
    const std::int32_t number = fold.number_of(member);
    for (std::int32_t bit = 1; bit < fold.cube(); bit *= 2) {
        const std::int32_t partner = group.rank_of(fold.member_of(number ^ bit));
        sum.send(partner);
        sum.receive(partner, side_of(number ^ bit, number));
    }
    if (in_pair) program.send(mate, into, sum.sum()->after);
    return *sum.sum();
}

Partial allreduce_canonically(ProgramBuilder& program, const Group& group, const Partial& own,
                              const Region& into) {
    if (group.size() == 1) return {into, {program.copy(own.region, into, own.after)}};
    const auto cube =
        static_cast<std::int32_t>(std::bit_floor(static_cast<std::uint32_t>(group.size())));
    const std::int32_t upper = group.size() - cube;
    const std::int32_t member = group.index();
    if (member >= cube) return be_represented(program, group.rank_of(member - cube), own, into);

    const std::int32_t rounds = std::bit_width(static_cast<std::uint32_t>(cube)) - 1;
    GrowingSum lower_sum(program, own, into, into, rounds);
    GrowingSum upper_sum(program, std::nullopt, std::nullopt, into, rounds + 1);
    if (member < upper) upper_sum.receive(group.rank_of(member + cube), Operand::right);
    for (std::int32_t bit = 1; bit < cube; bit *= 2) {
        const std::int32_t other = member ^ bit;
        const std::int32_t partner = group.rank_of(other);
        const Operand side = side_of(other, member);
        // Whether anyone above the cube belongs to the members that have exchanged so far.
        const bool sends_upper = member / bit * bit < upper;
        const bool receives_upper = other / bit * bit < upper;
        lower_sum.send(partner);
        if (sends_upper) upper_sum.send(partner);
        lower_sum.receive(partner, side);
        if (receives_upper) upper_sum.receive(partner, side);
    }
    Partial sum = *lower_sum.sum();
    if (upper > 0) {
        const Partial& more = *upper_sum.sum();
        sum.after = {
            program.reduce(more.region, Operand::right, into, joined(sum.after, more.after))};
    }
    if (member < upper) program.send(group.rank_of(member + cube), into, sum.after);
    return sum;
}

}  // namespace tasuki

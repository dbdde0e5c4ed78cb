#include "algorithms/over_tree.hpp"

namespace tasuki {

Partial reduce_from_children(ProgramBuilder& program, const Group& group,
                             std::span<const Child> children, const Partial& own,
                             const Region& into, std::int32_t rooms) {
    if (children.empty()) return own;
    // The first child's part is received where the result is to be: no copy of the own part.
    const Child& first = children.front();
    const StepId came = program.recv(group.rank_of(first.member), into);
    StepId last = program.reduce(own.region, opposite(first.side), into, joined(own.after, {came}));
    std::vector<Partial> places;
    for (std::size_t i = 1; i < children.size(); ++i) {
        const std::size_t number = (i - 1) % static_cast<std::size_t>(rooms);
        if (number == places.size()) {
            const std::int32_t room = program.reserve_scratch(own.region.count, own.region.first);
            places.push_back({scratch(room, own.region.count)});
        }
        Partial& place = places[number];
        const Child& child = children[i];
        const StepId received =
            program.recv(group.rank_of(child.member), place.region, place.after);
        last = program.reduce(place.region, child.side, into, {received, last});
        place.after = {last};
    }
    return {into, {last}};
}

Partial reduce_over(ProgramBuilder& program, const Group& group, const TreePlace& place,
                    const Partial& own, const Region& into, std::int32_t rooms) {
    Partial sum = reduce_from_children(program, group, place.children, own, into, rooms);
    if (place.parent < 0) return sum;
    const StepId sent = program.send(group.rank_of(place.parent), sum.region, sum.after);
    if (place.children.empty()) return {into};
    return {into, {sent}};
}

Partial bcast_over(ProgramBuilder& program, const Group& group, const TreePlace& place,
                   const Partial& held) {
    Partial there = held;
    if (place.parent >= 0) {
        there.after = {program.recv(group.rank_of(place.parent), held.region, held.after)};
    }
    for (auto child = place.children.rbegin(); child != place.children.rend(); ++child) {
        program.send(group.rank_of(child->member), there.region, there.after);
    }
    return there;
}

}  // namespace tasuki

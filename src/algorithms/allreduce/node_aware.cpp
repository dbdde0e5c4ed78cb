#include <algorithm>

#include "algorithms/doubling.hpp"
#include "algorithms/generators.hpp"
#include "algorithms/over_tree.hpp"
#include "schedule/builder.hpp"

namespace tasuki::allreduce {

namespace {

/// As many as asked for and as the smallest node has ranks.
std::int32_t leaders_of(const Instance& instance) {
    const Placement& placement = instance.placement;
    std::int32_t fewest = placement.ranks_on(0);
    for (std::int32_t node = 1; node < placement.nodes(); ++node) {
        fewest = std::min(fewest, placement.ranks_on(node));
    }
    const std::int64_t asked = instance.parameters.get("leaders");
    return asked == 0 ? fewest : static_cast<std::int32_t>(std::min<std::int64_t>(asked, fewest));
}

}  // namespace

Program node_aware(std::int32_t rank, const Instance& instance) {
    const Placement& placement = instance.placement;
    const std::int32_t leaders = leaders_of(instance);
    const Group node = Group::on_node(rank, placement);
    ProgramBuilder program(leaders, leaders);
    for (std::int32_t leader = 0; leader < leaders; ++leader) {
        const TreePlace place = canonical_place(node.index(), node.size(), leader);
        const Region result = output(leader);
        const bool leads = node.index() == leader;
        // A leader needs the place of the result for the exchange with the others.
        const bool keeps = leads && !place.children.empty();
        const Region into = keeps ? scratch(program.reserve_scratch(1, leader)) : result;
        Partial sum = reduce_over(program, node, place, {input(leader)}, into, 2);
        if (leads) {
            const Group others = Group::across_nodes(rank, leader, placement);
            sum = allreduce_by_doubling(program, others, sum, result);
        }
        bcast_over(program, node, place, sum);
    }
    return program.finish();
}

}  // namespace tasuki::allreduce

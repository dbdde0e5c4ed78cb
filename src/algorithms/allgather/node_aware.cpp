#include <vector>

#include "algorithms/generators.hpp"
#include "algorithms/over_tree.hpp"
#include "algorithms/partners.hpp"
#include "algorithms/rank_runs.hpp"
#include "schedule/builder.hpp"

namespace tasuki::allgather {

namespace {

/// The blocks of a node, in runs that are sent as they lie.
std::vector<RankRun> blocks_of(std::int32_t node, const Placement& placement) {
    std::vector<std::int32_t> ranks;
    for (std::int32_t local = 0; local < placement.ranks_on(node); ++local) {
        ranks.push_back(placement.rank_at(node, local));
    }
    return runs_of(ranks);
}

}  // namespace

Program node_aware(std::int32_t rank, const Instance& instance) {
    const Placement& placement = instance.placement;
    const std::int32_t ranks = instance.ranks;
    const Group node = Group::on_node(rank, placement);
    const TreePlace place = knomial_place(node.index(), node.size(), 2);
    ProgramBuilder program(1, ranks);
    Partial all{output(0, ranks)};
    if (node.index() != 0) {
        program.send(node.rank_of(0), input(0));
        bcast_over(program, node, place, all);
        return program.finish();
    }
    std::vector<StepId> gathered = {program.copy(input(0), output(rank))};
    for (std::int32_t local = 1; local < node.size(); ++local) {
        const std::int32_t source = node.rank_of(local);
        gathered.push_back(program.recv(source, output(source)));
    }
    const Group leaders = Group::across_nodes(rank, 0, placement);
    all.after = gathered;
    for (std::int32_t distance = 1; distance < leaders.size(); ++distance) {
        const auto [to, from] = shifted(leaders.index(), distance, leaders.size());
        for (const RankRun& run : blocks_of(from, placement)) {
            all.after.push_back(program.recv(leaders.rank_of(from), output(run.first, run.count)));
        }
        for (const RankRun& run : blocks_of(leaders.index(), placement)) {
            program.send(leaders.rank_of(to), output(run.first, run.count), gathered);
        }
    }
    bcast_over(program, node, place, all);
    return program.finish();
}

}  // namespace tasuki::allgather

#include <vector>

#include "algorithms/generators.hpp"
#include "algorithms/group.hpp"
#include "algorithms/rank_runs.hpp"
#include "algorithms/tree.hpp"
#include "schedule/builder.hpp"

namespace tasuki::scatter {

Program binomial(std::int32_t rank, const Instance& instance) {
    const std::int32_t ranks = instance.ranks;
    const bool is_root = rank == instance.root;
    ProgramBuilder program(is_root ? ranks : 0, 1);
    const Group group = Group::all(rank, ranks, instance.root);
    const TreePlace place = knomial_place(group.index(), ranks, 2);
    if (is_root) {
        for (auto child = place.children.rbegin(); child != place.children.rend(); ++child) {
            const std::int32_t first = group.rank_of(child->member);
            const auto runs = cyclic_runs(first, child->below, ranks);
            if (runs.size() == 1) {
                program.send(first, input(first, child->below));
                continue;
            }
            // The last rank is not the last of the subtree.
            const std::int32_t room = reserve_blocks(program, runs);
            std::int32_t packed = room;
            std::vector<StepId> copies;
            for (const RankRun& run : runs) {
                copies.push_back(
                    program.copy(input(run.first, run.count), scratch(packed, run.count)));
                packed += run.count;
            }
            program.send(first, scratch(room, child->below), copies);
        }
        program.copy(input(rank), output(0));
        return program.finish();
    }
    const std::int32_t parent = group.rank_of(place.parent);
    if (place.children.empty()) {
        program.recv(parent, output(0));
        return program.finish();
    }
    const std::int32_t below = knomial_below(group.index(), ranks, 2);
    const std::int32_t room = reserve_blocks(program, cyclic_runs(rank, below, ranks));
    const StepId received = program.recv(parent, scratch(room, below));
    for (auto child = place.children.rbegin(); child != place.children.rend(); ++child) {
        const std::int32_t first = room + child->member - group.index();
        program.send(group.rank_of(child->member), scratch(first, child->below), {received});
    }
    program.copy(scratch(room), output(0), {received});
    return program.finish();
}

}  // namespace tasuki::scatter

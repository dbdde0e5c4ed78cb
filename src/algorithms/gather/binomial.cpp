#include <vector>

#include "algorithms/generators.hpp"
#include "algorithms/group.hpp"
#include "algorithms/rank_runs.hpp"
#include "algorithms/tree.hpp"
#include "schedule/builder.hpp"

namespace tasuki::gather {

Program binomial(std::int32_t rank, const Instance& instance) {
    const std::int32_t ranks = instance.ranks;
    const bool is_root = rank == instance.root;
    ProgramBuilder program(1, is_root ? ranks : 0);
    const Group group = Group::all(rank, ranks, instance.root);
    const TreePlace place = knomial_place(group.index(), ranks, 2);
    if (is_root) {
        program.copy(input(0), output(rank));
        for (const Child& child : place.children) {
            const std::int32_t first = group.rank_of(child.member);
            const auto runs = cyclic_runs(first, child.below, ranks);
            if (runs.size() == 1) {
                program.recv(first, output(first, child.below));
                continue;
            }
            // The last rank is not the last of the subtree.
            std::int32_t room = reserve_blocks(program, runs);
            const StepId received = program.recv(first, scratch(room, child.below));
            for (const RankRun& run : runs) {
                program.copy(scratch(room, run.count), output(run.first, run.count), {received});
                room += run.count;
            }
        }
        return program.finish();
    }
    const std::int32_t parent = group.rank_of(place.parent);
    if (place.children.empty()) {
        program.send(parent, input(0));
        return program.finish();
    }
    const std::int32_t below = knomial_below(group.index(), ranks, 2);
    const std::int32_t room = reserve_blocks(program, cyclic_runs(rank, below, ranks));
    std::vector<StepId> gathered = {program.copy(input(0), scratch(room))};
    for (const Child& child : place.children) {
        const std::int32_t first = room + child.member - group.index();
        gathered.push_back(program.recv(group.rank_of(child.member), scratch(first, child.below)));
    }
    program.send(parent, scratch(room, below), gathered);
    return program.finish();
}

}  // namespace tasuki::gather

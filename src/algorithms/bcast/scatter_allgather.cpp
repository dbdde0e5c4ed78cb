#include <vector>

#include "algorithms/generators.hpp"
#include "algorithms/over_tree.hpp"
#include "algorithms/partners.hpp"
#include "schedule/builder.hpp"

namespace tasuki::bcast {

Program scatter_allgather(std::int32_t rank, const Instance& instance) {
    const std::int32_t ranks = instance.ranks;
    const bool is_root = rank == instance.root;
    ProgramBuilder program(is_root ? ranks : 0, is_root ? 0 : ranks);
    const Group group = Group::all(rank, ranks, instance.root);
    const std::int32_t member = group.index();
    const auto held = [&](std::int32_t first, std::int32_t count) {
        return chunks(is_root ? Space::input : Space::output, first, count);
    };
    // Member i has the chunks of its subtree afterwards, from number i on.
    const TreePlace place = knomial_place(member, ranks, 2);
    const std::int32_t scattered = knomial_below(member, ranks, 2);
    std::vector<StepId> tree;
    if (!is_root) tree = {program.recv(group.rank_of(place.parent), held(member, scattered))};
    std::vector<StepId> last = tree;
    for (auto child = place.children.rbegin(); child != place.children.rend(); ++child) {
        program.send(group.rank_of(child->member), held(child->member, child->below), tree);
    }
    // Nobody is sent what the tree has brought, so nothing goes to the root.
    const bool next_is_root = member == ranks - 1;
    const std::int32_t next_has = next_is_root ? ranks : knomial_below(member + 1, ranks, 2);
    for (std::int32_t distance = 0; distance < ranks - 1; ++distance) {
        const std::int32_t leaving = shifted(member, distance, ranks).source;
        const std::int32_t ahead = shifted(leaving, next_is_root ? 0 : member + 1, ranks).source;
        if (!next_is_root && ahead >= next_has) {
            program.send(group.rank_of(member + 1), held(leaving, 1), last);
        }
        if (is_root) continue;
        const std::int32_t arriving = shifted(member, distance + 1, ranks).source;
        if (shifted(arriving, member, ranks).source < scattered) continue;
        last = joined(tree, {program.recv(group.rank_of(member - 1), held(arriving, 1))});
    }
    return program.finish();
}

}  // namespace tasuki::bcast

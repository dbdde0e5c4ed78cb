#include "algorithms/generators.hpp"
#include "algorithms/over_tree.hpp"
#include "schedule/builder.hpp"

namespace tasuki::reduce {

Program canonical_tree(std::int32_t rank, const Instance& instance) {
    const bool is_root = rank == instance.root;
    ProgramBuilder program(1, is_root ? 1 : 0);
    const Group group = Group::all(rank, instance.ranks);
    const TreePlace place = canonical_place(rank, instance.ranks, instance.root);
    if (instance.ranks == 1) {
        program.copy(input(0), output(0));
        return program.finish();
    }
    const bool keeps = !is_root && !place.children.empty();
    const Region into = keeps ? scratch(program.reserve_scratch(1, 0)) : output(0);
    reduce_over(program, group, place, {input(0)}, into, 2);
    return program.finish();
}

}  // namespace tasuki::reduce

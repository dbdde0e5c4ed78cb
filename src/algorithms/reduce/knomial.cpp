#include <algorithm>

#include "algorithms/generators.hpp"
#include "algorithms/over_tree.hpp"
#include "schedule/builder.hpp"

namespace tasuki::reduce {

Program knomial(std::int32_t rank, const Instance& instance) {
    const bool is_root = rank == instance.root;
    ProgramBuilder program(1, is_root ? 1 : 0);
    const Group group = Group::all(rank, instance.ranks, instance.root);
    const std::int64_t radix = instance.parameters.get("radix");
    const TreePlace place = knomial_place(group.index(), instance.ranks, radix);
    if (instance.ranks == 1) {
        program.copy(input(0), output(0));
        return program.finish();
    }
    const bool keeps = !is_root && !place.children.empty();
    const Region into = keeps ? scratch(program.reserve_scratch(1, 0)) : output(0);
    reduce_over(program, group, place, {input(0)}, into,
                static_cast<std::int32_t>(std::min<std::int64_t>(radix, instance.ranks)));
    return program.finish();
}

}  // namespace tasuki::reduce

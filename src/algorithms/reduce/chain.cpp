#include "algorithms/generators.hpp"
#include "algorithms/over_tree.hpp"
#include "schedule/builder.hpp"

namespace tasuki::reduce {

Program chain(std::int32_t rank, const Instance& instance) {
    const bool is_root = rank == instance.root;
    const auto segments = static_cast<std::int32_t>(instance.parameters.get("segments"));
    ProgramBuilder program(segments, is_root ? segments : 0);
    const Group group = Group::all(rank, instance.ranks, instance.root);
    const TreePlace place = chain_place(group.index(), instance.ranks);
    if (instance.ranks == 1) {
        program.copy(input(0, segments), output(0, segments));
        return program.finish();
    }
    const bool keeps = !is_root && !place.children.empty();
    if (keeps) program.reserve_scratch(segments, 0);
    for (std::int32_t segment = 0; segment < segments; ++segment) {
        const Region into = keeps ? scratch(segment) : output(segment);
        reduce_over(program, group, place, {input(segment)}, into, 1);
    }
    return program.finish();
}

}  // namespace tasuki::reduce

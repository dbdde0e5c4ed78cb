#include "algorithms/generators.hpp"
#include "algorithms/over_tree.hpp"
#include "schedule/builder.hpp"

namespace tasuki::bcast {

Program chain(std::int32_t rank, const Instance& instance) {
    const bool is_root = rank == instance.root;
    const auto segments = static_cast<std::int32_t>(instance.parameters.get("segments"));
    ProgramBuilder program(is_root ? segments : 0, is_root ? 0 : segments);
    const Group group = Group::all(rank, instance.ranks, instance.root);
    const TreePlace place = chain_place(group.index(), instance.ranks);
    for (std::int32_t segment = 0; segment < segments; ++segment) {
        bcast_over(program, group, place, {is_root ? input(segment) : output(segment)});
    }
    return program.finish();
}

}  // namespace tasuki::bcast

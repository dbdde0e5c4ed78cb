#include "algorithms/generators.hpp"
#include "algorithms/over_tree.hpp"
#include "schedule/builder.hpp"

namespace tasuki::bcast {

Program binomial(std::int32_t rank, const Instance& instance) {
    const bool is_root = rank == instance.root;
    ProgramBuilder program(is_root ? 1 : 0, is_root ? 0 : 1);
    const Group group = Group::all(rank, instance.ranks, instance.root);
    bcast_over(program, group, knomial_place(group.index(), instance.ranks, 2),
               {is_root ? input(0) : output(0)});
    return program.finish();
}

}  // namespace tasuki::bcast

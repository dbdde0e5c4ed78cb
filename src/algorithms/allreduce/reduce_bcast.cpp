#include "algorithms/generators.hpp"
#include "algorithms/over_tree.hpp"
#include "schedule/builder.hpp"

namespace tasuki::allreduce {

Program reduce_bcast(std::int32_t rank, const Instance& instance) {
    ProgramBuilder program(1, 1);
    const Group group = Group::all(rank, instance.ranks);
    const TreePlace place = canonical_place(rank, instance.ranks, 0);
    if (instance.ranks == 1) {
        program.copy(input(0), output(0));
        return program.finish();
    }
    bcast_over(program, group, place, reduce_over(program, group, place, {input(0)}, output(0), 2));
    return program.finish();
}

}  // namespace tasuki::allreduce

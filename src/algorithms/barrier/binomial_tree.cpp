#include "algorithms/generators.hpp"
#include "algorithms/over_tree.hpp"
#include "schedule/builder.hpp"

namespace tasuki::barrier {

Program binomial_tree(std::int32_t rank, const Instance& instance) {
    ProgramBuilder program(0, 0);
    const Group group = Group::all(rank, instance.ranks);
    const TreePlace place = knomial_place(rank, instance.ranks, 2);
    Partial released{nothing()};
    for (const Child& child : place.children) {
        released.after.push_back(program.recv(child.member, nothing()));
    }
    if (place.parent >= 0) {
        const StepId reported = program.send(place.parent, nothing(), released.after);
        released.after = {reported};
    }
    bcast_over(program, group, place, released);
    return program.finish();
}

}  // namespace tasuki::barrier

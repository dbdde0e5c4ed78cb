#include "algorithms/doubling.hpp"
#include "algorithms/generators.hpp"
#include "schedule/builder.hpp"

namespace tasuki::allreduce {

Program canonical_tree(std::int32_t rank, const Instance& instance) {
    ProgramBuilder program(1, 1);
    allreduce_canonically(program, Group::all(rank, instance.ranks), {input(0)}, output(0));
    return program.finish();
}

}  // namespace tasuki::allreduce

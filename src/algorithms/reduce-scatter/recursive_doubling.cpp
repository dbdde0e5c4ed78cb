#include "algorithms/doubling.hpp"
#include "algorithms/generators.hpp"
#include "schedule/builder.hpp"

namespace tasuki::reduce_scatter {

Program recursive_doubling(std::int32_t rank, const Instance& instance) {
    const std::int32_t ranks = instance.ranks;
    ProgramBuilder program(ranks, 1);
    if (ranks == 1) {
        program.copy(input(0), output(0));
        return program.finish();
    }
    const std::int32_t sums = program.reserve_scratch(ranks, 0);
    const Partial sum = allreduce_canonically(program, Group::all(rank, ranks), {input(0, ranks)},
                                              scratch(sums, ranks));
    program.copy(scratch(sums + rank), output(0), sum.after);
    return program.finish();
}

}  // namespace tasuki::reduce_scatter

#include "algorithms/generators.hpp"
#include "algorithms/partial.hpp"
#include "algorithms/partners.hpp"
#include "schedule/builder.hpp"

namespace tasuki::reduce_scatter {

Program ring(std::int32_t rank, const Instance& instance) {
    const std::int32_t ranks = instance.ranks;
    ProgramBuilder program(ranks, 1);
    if (ranks == 1) {
        program.copy(input(0), output(0));
        return program.finish();
    }
    const auto [next, previous] = shifted(rank, 1, ranks);
    Partial sum{input(previous)};
    for (std::int32_t distance = 2; distance <= ranks; ++distance) {
        program.send(next, sum.region, sum.after);
        const std::int32_t block = shifted(rank, distance, ranks).source;
        sum.region = block == rank ? output(0) : scratch(program.reserve_scratch(1, block));
        const StepId received = program.recv(previous, sum.region);
        sum.after = {program.reduce(input(block), Operand::right, sum.region, {received})};
    }
    return program.finish();
}

}  // namespace tasuki::reduce_scatter

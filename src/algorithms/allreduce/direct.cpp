#include "algorithms/generators.hpp"
#include "algorithms/own_block.hpp"
#include "algorithms/partners.hpp"
#include "schedule/builder.hpp"

namespace tasuki::allreduce {

Program direct(std::int32_t rank, const Instance& instance) {
    const std::int32_t ranks = instance.ranks;
    ProgramBuilder program(ranks, ranks);
    const Partial sum = reduce_own_block(program, rank, ranks, output(rank));
    for (std::int32_t distance = 1; distance < ranks; ++distance) {
        const auto [destination, source] = shifted(rank, distance, ranks);
        program.recv(source, output(source));
        program.send(destination, sum.region, sum.after);
    }
    return program.finish();
}

}  // namespace tasuki::allreduce

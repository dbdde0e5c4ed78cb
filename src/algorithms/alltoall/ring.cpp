#include "algorithms/generators.hpp"
#include "algorithms/partners.hpp"
#include "algorithms/stages.hpp"

namespace tasuki::alltoall {

// Both directions of the ring at once, which halves the stages: ranks / 2, as the paper's formula
// has it. With an even number of ranks both neighbours of the last stage are the same rank.
Program ring(std::int32_t rank, const Instance& instance) {
    const std::int32_t ranks = instance.ranks;
    ProgramBuilder program(ranks, ranks);
    const std::size_t messages = 2 * (static_cast<std::size_t>(ranks) - 1);
    program.expect(messages + 1, 4 * messages);
    Stages stages(program);
    for (std::int32_t distance = 1; distance <= ranks / 2; ++distance) {
        const auto [right, left] = shifted(rank, distance, ranks);
        stages.recv(left, output(left));
        if (left != right) stages.recv(right, output(right));
        stages.send(right, input(right));
        if (left != right) stages.send(left, input(left));
        stages.next();
    }
    program.copy(input(rank), output(rank));
    return program.finish();
}

}  // namespace tasuki::alltoall

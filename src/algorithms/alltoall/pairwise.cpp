#include "algorithms/generators.hpp"
#include "algorithms/partners.hpp"
#include "algorithms/stages.hpp"

namespace tasuki::alltoall {

Program pairwise(std::int32_t rank, const Instance& instance) {
    const std::int32_t ranks = instance.ranks;
    ProgramBuilder program(ranks, ranks);
    const std::size_t messages = 2 * (static_cast<std::size_t>(ranks) - 1);
    program.expect(messages + 1, 2 * messages);
    Stages stages(program);
    for (std::int32_t stage = 1; stage < ranks; ++stage) {
        const Partners partners = pairwise_partners(rank, stage, ranks);
        stages.recv(partners.source, output(partners.source));
        stages.send(partners.destination, input(partners.destination));
        stages.next();
    }
    program.copy(input(rank), output(rank));
    return program.finish();
}

}  // namespace tasuki::alltoall

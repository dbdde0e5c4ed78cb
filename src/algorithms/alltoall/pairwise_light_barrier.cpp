#include <vector>

#include "algorithms/generators.hpp"
#include "algorithms/partners.hpp"
#include "schedule/builder.hpp"

namespace tasuki::alltoall {

// From the second stage on, a rank sends only when its partner has said that it is ready: that its
// stage before is complete and its receive is posted. The token therefore follows the receive.
Program pairwise_light_barrier(std::int32_t rank, const Instance& instance) {
    const std::int32_t ranks = instance.ranks;
    ProgramBuilder program(ranks, ranks);
    const auto most_stages = static_cast<std::size_t>(ranks);
    program.expect(4 * most_stages, 7 * most_stages);
    std::vector<StepId> before;
    for (std::int32_t stage = 1; stage < ranks; ++stage) {
        const auto [destination, source] = pairwise_partners(rank, stage, ranks);
        std::vector<StepId> ready;
        if (stage > 1) ready.push_back(program.recv(destination, nothing(), before));
        const StepId received = program.recv(source, output(source), before);
        if (stage > 1) program.send(source, nothing(), before);
        const StepId sent = program.send(destination, input(destination), ready);
        before = {received, sent};
    }
    program.copy(input(rank), output(rank));
    return program.finish();
}

}  // namespace tasuki::alltoall

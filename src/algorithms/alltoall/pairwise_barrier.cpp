#include <bit>

#include "algorithms/generators.hpp"
#include "algorithms/partners.hpp"
#include "algorithms/stages.hpp"

namespace tasuki::alltoall {

namespace {

/// Dissemination: after ceil(log2 ranks) stages every rank has heard of every other.
void barrier(Stages& stages, std::int32_t rank, std::int32_t ranks) {
    for (std::int64_t distance = 1; distance < ranks; distance *= 2) {
        const auto [destination, source] =
            shifted(rank, static_cast<std::int32_t>(distance), ranks);
        stages.recv(source, nothing());
        stages.send(destination, nothing());
        stages.next();
    }
}

}  // namespace

Program pairwise_barrier(std::int32_t rank, const Instance& instance) {
    const std::int32_t ranks = instance.ranks;
    ProgramBuilder program(ranks, ranks);
    const auto rounds = std::bit_width(static_cast<std::uint32_t>(ranks) - 1);
    const std::size_t most_stages = static_cast<std::size_t>(ranks) * (1 + rounds);
    program.expect(2 * most_stages, 4 * most_stages);
    Stages stages(program);
    for (std::int32_t stage = 1; stage < ranks; ++stage) {
        if (stage > 1) barrier(stages, rank, ranks);
        const Partners partners = pairwise_partners(rank, stage, ranks);
        stages.recv(partners.source, output(partners.source));
        stages.send(partners.destination, input(partners.destination));
        stages.next();
    }
    program.copy(input(rank), output(rank));
    return program.finish();
}

}  // namespace tasuki::alltoall

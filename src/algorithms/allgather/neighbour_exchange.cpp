#include <vector>

#include "algorithms/generators.hpp"
#include "algorithms/partners.hpp"
#include "algorithms/ring_allgather.hpp"
#include "schedule/builder.hpp"

namespace tasuki::allgather {

Program neighbour_exchange(std::int32_t rank, const Instance& instance) {
    const std::int32_t ranks = instance.ranks;
    if (ranks % 2 != 0) return ring_allgather(rank, ranks);
    ProgramBuilder program(1, ranks);
    const StepId own = program.copy(input(0), output(rank));
    // Ranks go in pairs; first the two of a pair exchange their blocks, then every rank exchanges
    // the blocks of pairs with its neighbour in the next pair and that in its own in turn.
    const bool is_even = rank % 2 == 0;
    const Partners beside = shifted(rank, 1, ranks);
    const std::int32_t mate = is_even ? beside.destination : beside.source;
    const std::int32_t other = is_even ? beside.source : beside.destination;
    std::vector<StepId> before = {own, program.recv(mate, output(mate))};
    program.send(mate, input(0));
    std::int32_t leaving = rank / 2 * 2;
    std::int32_t by_mate = leaving;  // first block of the pair that came from there last
    std::int32_t by_other = leaving;
    for (std::int32_t round = 1; round < ranks / 2; ++round) {
        const bool with_mate = round % 2 == 0;
        const Partners pairs = shifted(with_mate ? by_mate : by_other, 2, ranks);
        // An even rank hears of the pairs below from the other, and of those above from its mate.
        const std::int32_t arriving = with_mate == is_even ? pairs.destination : pairs.source;
        (with_mate ? by_mate : by_other) = arriving;
        const std::int32_t partner = with_mate ? mate : other;
        program.send(partner, output(leaving, 2), before);
        before = {program.recv(partner, output(arriving, 2))};
        leaving = arriving;
    }
    return program.finish();
}

}  // namespace tasuki::allgather

#include "algorithms/own_block.hpp"

#include <utility>
#include <vector>

#include "algorithms/canonical_sum.hpp"
#include "algorithms/partners.hpp"

namespace tasuki {

Partial reduce_own_block(ProgramBuilder& program, std::int32_t rank, std::int32_t ranks,
                         const Region& into) {
    if (ranks == 1) return {into, {program.copy(input(0), into)}};
    // The leftmost part that is received ends up with the sum.
    std::vector<Partial> parts(ranks, Partial{input(rank)});
    const std::int32_t leftmost = rank == 0 ? 1 : 0;
    for (std::int32_t distance = 1; distance < ranks; ++distance) {
        const std::int32_t source = shifted(rank, distance, ranks).source;
        const Region room = source == leftmost ? into : scratch(program.reserve_scratch(1, rank));
        parts[source] = {room, {program.recv(source, room)}};
    }
    for (std::int32_t distance = 1; distance < ranks; ++distance) {
        const std::int32_t destination = shifted(rank, distance, ranks).destination;
        program.send(destination, input(destination));
    }
    return sum_canonically(program, std::move(parts));
}

}  // namespace tasuki

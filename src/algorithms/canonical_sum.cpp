#include "algorithms/canonical_sum.hpp"

#include "algorithms/partners.hpp"

namespace tasuki {

std::vector<Partial> receive_operands(ProgramBuilder& program, std::int32_t rank,
                                      std::int32_t ranks, std::int32_t count, std::int32_t chunk,
                                      const Region& into) {
    std::vector<Partial> parts(count, Partial{input(chunk)});
    // The leftmost part that is received ends up with the sum.
    const std::int32_t leftmost = rank == 0 ? 1 : 0;
    for (std::int32_t distance = 1; distance < ranks; ++distance) {
        const std::int32_t source = shifted(rank, distance, ranks).source;
        if (source >= count) continue;
        const Region room = source == leftmost ? into : scratch(program.reserve_scratch(1, chunk));
        parts[source] = {room, {program.recv(source, room)}};
    }
    return parts;
}

Partial sum_canonically(ProgramBuilder& program, std::vector<Partial> parts, const Region& into) {
    const std::size_t count = parts.size();
    for (std::size_t size = 1; size < count; size *= 2) {
        for (std::size_t first = 0; first + size < count; first += 2 * size) {
            Partial& left = parts[first];
            const Partial& right = parts[first + size];
            const std::vector<StepId> after = joined(left.after, right.after);
            if (left.region.space == Space::input) {
                left = {right.region,
                        {program.reduce(left.region, Operand::left, right.region, after)}};
            } else {
                left.after = {program.reduce(right.region, Operand::right, left.region, after)};
            }
        }
    }
    if (parts[0].region.space == Space::input) return {into, {program.copy(parts[0].region, into)}};
    return parts[0];
}

}  // namespace tasuki

#include "algorithms/one_shot.hpp"

#include <utility>
#include <vector>

#include "algorithms/canonical_sum.hpp"
#include "algorithms/partners.hpp"

namespace tasuki {

Program one_shot(std::int32_t rank, std::int32_t ranks,
                 std::int32_t (*summands)(std::int32_t rank, std::int32_t ranks)) {
    const std::int32_t count = summands(rank, ranks);
    ProgramBuilder program(1, count > 0 ? 1 : 0);
    std::vector<Partial> parts(count);
    // The first that is not the own vector ends up with the sum.
    const std::int32_t leftmost = rank == 0 ? 1 : 0;
    for (std::int32_t distance = 1; distance < ranks; ++distance) {
        const auto [destination, source] = shifted(rank, distance, ranks);
        if (source < count) {
            const Region room =
                source == leftmost ? output(0) : scratch(program.reserve_scratch(1, 0));
            parts[source] = {room, {program.recv(source, room)}};
        }
        if (rank < summands(destination, ranks)) program.send(destination, input(0));
    }
    if (rank < count) parts[rank] = {input(0)};
    if (count == 1 && rank == 0) program.copy(input(0), output(0));
    if (count > 1) sum_canonically(program, std::move(parts));
    return program.finish();
}

}  // namespace tasuki

#include <algorithm>
#include <bit>
#include <vector>

#include "algorithms/generators.hpp"
#include "algorithms/partial.hpp"
#include "schedule/builder.hpp"

namespace tasuki::allgather {

Program recursive_doubling(std::int32_t rank, const Instance& instance) {
    const std::int32_t ranks = instance.ranks;
    const auto cube = static_cast<std::int32_t>(std::bit_floor(static_cast<std::uint32_t>(ranks)));
    const std::int32_t folded = ranks - cube;
    ProgramBuilder program(1, ranks);
    if (rank >= cube) {
        program.send(rank - cube, input(0));
        program.recv(rank - cube, output(0, ranks));
        return program.finish();
    }
    std::vector<StepId> before = {program.copy(input(0), output(rank))};
    if (rank < folded) before.push_back(program.recv(rank + cube, output(rank + cube)));
    for (std::int32_t bit = 1; bit < cube; bit *= 2) {
        const std::int32_t partner = rank ^ bit;
        std::vector<StepId> received;
        // The blocks of the cube, then those that its ranks stand for.
        for (const std::int32_t base : {0, cube}) {
            const auto blocks = [&](std::int32_t of) {
                const std::int32_t first = of / bit * bit;
                const std::int32_t known = base == 0 ? cube : folded;
                return output(base + first, std::clamp(known - first, 0, bit));
            };
            if (!blocks(rank).empty()) program.send(partner, blocks(rank), before);
            if (!blocks(partner).empty())
                received.push_back(program.recv(partner, blocks(partner)));
        }
        before = joined(before, received);
    }
    if (rank < folded) program.send(rank + cube, output(0, ranks), before);
    return program.finish();
}

}  // namespace tasuki::allgather

#include "algorithms/ring_allreduce.hpp"

#include <optional>
#include <vector>

#include "algorithms/partners.hpp"
#include "schedule/builder.hpp"

namespace tasuki {

Program ring_allreduce(std::int32_t rank, std::int32_t ranks, std::int32_t segments) {
    ProgramBuilder program(ranks * segments, ranks * segments);
    if (ranks == 1) {
        program.copy(input(0, segments), output(0, segments));
        return program.finish();
    }
    const auto [next, previous] = shifted(rank, 1, ranks);
    const auto steps = static_cast<std::size_t>(ranks - 1);
    program.expect(5 * steps * segments, 4 * steps * segments);
    // The block that a rank `distance` before this one begins with.
    const auto block = [&](std::int32_t distance) {
        return shifted(rank, distance, ranks).source * segments;
    };
    std::vector<std::optional<StepId>> sent(steps * segments);  // [distance * segments + segment]
    std::vector<StepId> last(segments);
    for (std::int32_t distance = 0; distance < ranks - 1; ++distance) {
        for (std::int32_t segment = 0; segment < segments; ++segment) {
            const std::int32_t leaving = block(distance) + segment;
            const std::int32_t arriving = block(distance + 1) + segment;
            const StepId received = program.recv(previous, output(arriving));
            if (distance == 0) {
                program.send(next, input(leaving));
            } else {
                sent[distance * segments + segment] =
                    program.send(next, output(leaving), {last[segment]});
            }
            last[segment] =
                program.reduce(input(arriving), Operand::right, output(arriving), {received});
        }
    }
    for (std::int32_t distance = 0; distance < ranks - 1; ++distance) {
        for (std::int32_t segment = 0; segment < segments; ++segment) {
            // Distance -1 is the next rank's block, which this one has summed up.
            const std::int32_t leaving =
                (distance == 0 ? shifted(rank, 1, ranks).destination * segments
                               : block(distance - 1)) +
                segment;
            const std::int32_t arriving = block(distance) + segment;
            program.send(next, output(leaving), {last[segment]});
            const auto& before = sent[distance * segments + segment];
            last[segment] = before ? program.recv(previous, output(arriving), {*before})
                                   : program.recv(previous, output(arriving));
        }
    }
    return program.finish();
}

}  // namespace tasuki

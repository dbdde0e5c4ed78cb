#include <algorithm>
#include <utility>
#include <vector>

#include "algorithms/generators.hpp"
#include "algorithms/partial.hpp"
#include "algorithms/partners.hpp"
#include "algorithms/rank_runs.hpp"
#include "schedule/builder.hpp"

namespace tasuki::allgather {

Program bruck(std::int32_t rank, const Instance& instance) {
    const std::int32_t ranks = instance.ranks;
    const std::int64_t radix = instance.parameters.get("radix");
    ProgramBuilder program(1, ranks);
    // Slot i is for the block of the rank i after this one.
    const auto runs = cyclic_runs(rank, ranks, ranks);
    std::int32_t room = reserve_blocks(program, runs);
    std::vector<StepId> before = {program.copy(input(0), scratch(room))};
    for (std::int64_t weight = 1; weight < ranks; weight *= radix) {
        std::vector<StepId> received;
        for (std::int64_t digit = 1; digit < radix && digit * weight < ranks; ++digit) {
            const auto distance = static_cast<std::int32_t>(digit * weight);
            const auto count =
                static_cast<std::int32_t>(std::min<std::int64_t>(weight, ranks - distance));
            const auto [after, earlier] = shifted(rank, distance, ranks);
            received.push_back(program.recv(after, scratch(room + distance, count)));
            program.send(earlier, weight == 1 ? input(0) : scratch(room, count), before);
        }
        before = joined(before, program.gathered(std::move(received)));
    }
    for (const RankRun& run : runs) {
        program.copy(scratch(room, run.count), output(run.first, run.count), before);
        room += run.count;
    }
    return program.finish();
}

}  // namespace tasuki::allgather

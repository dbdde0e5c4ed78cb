// The ring of all-gather.
#pragma once

#include "algorithms/partners.hpp"
#include "schedule/builder.hpp"

namespace tasuki {

/// Each rank passes on what it has got in the step before. Nothing but the own block is copied.
inline Program ring_allgather(std::int32_t rank, std::int32_t ranks) {
    ProgramBuilder program(1, ranks);
    const auto [next, previous] = shifted(rank, 1, ranks);
    std::vector<StepId> before;
    for (std::int32_t distance = 0; distance < ranks - 1; ++distance) {
        const std::int32_t leaving = shifted(rank, distance, ranks).source;
        const std::int32_t arriving = shifted(rank, distance + 1, ranks).source;
        const StepId received = program.recv(previous, output(arriving));
        program.send(next, distance == 0 ? input(0) : output(leaving), before);
        before = {received};
    }
    program.copy(input(0), output(rank));
    return program.finish();
}

}  // namespace tasuki

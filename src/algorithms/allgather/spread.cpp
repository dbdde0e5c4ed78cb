#include "algorithms/generators.hpp"
#include "algorithms/partners.hpp"
#include "schedule/builder.hpp"

namespace tasuki::allgather {

// Each rank begins with its right neighbour, so that not everyone sends to rank 0 first.
Program spread(std::int32_t rank, const Instance& instance) {
    const std::int32_t ranks = instance.ranks;
    ProgramBuilder program(1, ranks);
    program.expect(2 * static_cast<std::size_t>(ranks) - 1, 0);
    for (std::int32_t distance = 1; distance < ranks; ++distance) {
        const std::int32_t source = shifted(rank, distance, ranks).source;
        program.recv(source, output(source));
    }
    for (std::int32_t distance = 1; distance < ranks; ++distance) {
        program.send(shifted(rank, distance, ranks).destination, input(0));
    }
    program.copy(input(0), output(rank));
    return program.finish();
}

}  // namespace tasuki::allgather

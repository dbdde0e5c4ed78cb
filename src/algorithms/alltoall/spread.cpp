#include "algorithms/generators.hpp"
#include "schedule/builder.hpp"

namespace tasuki::alltoall {

// All messages at once. Receives come first so that arriving data finds its place, and each rank
// begins with its right neighbour so that not everyone sends to rank 0 first.
Program spread(std::int32_t rank, const Instance& instance) {
    const std::int32_t ranks = instance.ranks;
    ProgramBuilder program(ranks, ranks);
    for (std::int32_t distance = 1; distance < ranks; ++distance) {
        const std::int32_t source = (rank - distance + ranks) % ranks;
        program.recv(source, output(source));
    }
    for (std::int32_t distance = 1; distance < ranks; ++distance) {
        const std::int32_t destination = (rank + distance) % ranks;
        program.send(destination, input(destination));
    }
    program.copy(input(rank), output(rank));
    return program.finish();
}

}  // namespace tasuki::alltoall

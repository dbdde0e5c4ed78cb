#include "algorithms/generators.hpp"
#include "algorithms/inner_ring.hpp"
#include "algorithms/partners.hpp"
#include "algorithms/stages.hpp"

namespace tasuki::alltoall {

// Outer loop over the nodes, inner loop over the ranks of a node (Figure 7 of the paper).
Program two_level_ring(std::int32_t rank, const Instance& instance) {
    const Placement& placement = instance.placement;
    const std::int32_t nodes = placement.nodes();
    ProgramBuilder program(instance.ranks, instance.ranks);
    const std::size_t messages = 2 * (static_cast<std::size_t>(instance.ranks) - 1);
    program.expect(messages + 1, 2 * messages);
    Stages stages(program);
    for (std::int32_t distance = 0; distance < nodes; ++distance) {
        const auto [to, from] = shifted(placement.node_of(rank), distance, nodes);
        exchange_with_nodes(stages, placement, rank, to, from);
    }
    program.copy(input(rank), output(rank));
    return program.finish();
}

}  // namespace tasuki::alltoall

#include "algorithms/generators.hpp"
#include "algorithms/inner_ring.hpp"
#include "algorithms/stages.hpp"

namespace tasuki::alltoall {

// As the two-level ring, with the stages of nodes that the fabric asks for instead of shifts. Only
// the column of one's own node is read; the table of all is built once, whoever asks first.
Program contention_free(std::int32_t rank, const Instance& instance) {
    const Placement& placement = instance.placement;
    const StageTable& table = placement.routes()->stages();
    const std::int32_t node = placement.node_of(rank);
    const std::vector<std::int32_t> senders = table.senders_to(node);
    ProgramBuilder program(instance.ranks, instance.ranks);
    const std::size_t messages = 2 * (static_cast<std::size_t>(instance.ranks) - 1);
    program.expect(messages + 1, 2 * messages);
    Stages stages(program);
    exchange_with_nodes(stages, placement, rank, node, node);
    for (std::int32_t stage = 0; stage < table.stages(); ++stage) {
        exchange_with_nodes(stages, placement, rank, table.receiver(stage, node), senders[stage]);
    }
    program.copy(input(rank), output(rank));
    return program.finish();
}

}  // namespace tasuki::alltoall

#include "fabric/contention_free.hpp"

#include "fabric/edge_colouring.hpp"
#include "fabric/leaf_stages.hpp"

namespace tasuki {

namespace {

/// Names the senders under one leaf. A stage in which everybody "receives from itself" comes first:
/// the colour that it gives a node is that node's own, which keeps messages to oneself out of all
/// other stages.
void name_senders(const LeafDemand& demand, std::int32_t leaf, std::int32_t stages,
                  const std::vector<std::int32_t>& from_leaf, StageTable& table) {
    const std::int32_t nodes = demand.nodes();
    std::vector<std::int32_t> own;
    std::vector<Edge> edges;
    for (std::int32_t node = 0; node < nodes; ++node) {
        if (demand.leaf[node] != leaf) continue;
        own.push_back(node);
        edges.push_back({0, node});
    }
    for (std::int32_t stage = 0; stage < stages; ++stage) {
        for (std::int32_t node = 0; node < nodes; ++node) {
            if (from_leaf[static_cast<std::size_t>(stage) * nodes + node] == leaf) {
                edges.push_back({stage + 1, node});
            }
        }
    }
    const auto count = static_cast<std::int32_t>(own.size());
    const std::vector<std::int32_t> colours = colour_edges(edges, stages + 1, nodes, count);
    std::vector<std::int32_t> sender_of_colour(count);
    for (std::int32_t i = 0; i < count; ++i) sender_of_colour[colours[i]] = own[i];
    for (std::size_t i = count; i < edges.size(); ++i) {
        table.set_receiver(edges[i].left - 1, sender_of_colour[colours[i]], edges[i].right);
    }
}

}  // namespace

StageTable contention_free(const LeafDemand& demand) {
    const std::int32_t stages = demand.least_stages();
    const std::vector<std::int32_t> from_leaf = leaf_stages(demand, stages);
    StageTable table(stages, demand.nodes());
    for (std::int32_t leaf = 0; leaf < demand.leaves; ++leaf) {
        name_senders(demand, leaf, stages, from_leaf, table);
    }
    return table;
}

}  // namespace tasuki

#include "fabric/stage_table.hpp"

#include <stdexcept>
#include <string>

namespace tasuki {

StageTable::StageTable(std::int32_t stages, std::int32_t nodes) : stages_(stages), nodes_(nodes) {
    if (nodes > most_nodes) {
        throw std::length_error("a stage table is for at most " + std::to_string(most_nodes) +
                                " nodes, there are " + std::to_string(nodes));
    }
    receivers_.assign(static_cast<std::size_t>(stages) * nodes, resting);
}

std::vector<std::int32_t> StageTable::senders_to(std::int32_t receiver) const {
    std::vector<std::int32_t> senders(stages_, rest);
    for (std::int32_t stage = 0; stage < stages_; ++stage) {
        for (std::int32_t node = 0; node < nodes_; ++node) {
            if (receivers_[at(stage, node)] == receiver) senders[stage] = node;
        }
    }
    return senders;
}

StageTable StageTable::reversed() const {
    StageTable backwards(stages_, nodes_);
    for (std::int32_t stage = 0; stage < stages_; ++stage) {
        for (std::int32_t node = 0; node < nodes_; ++node) {
            const std::int32_t to = receiver(stage, node);
            if (to != rest) backwards.set_receiver(stage, to, node);
        }
    }
    return backwards;
}

}  // namespace tasuki

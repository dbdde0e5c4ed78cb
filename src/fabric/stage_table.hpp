// Which node sends to which, stage by stage.
#pragma once

#include <cstdint>
#include <vector>

namespace tasuki {

/// An all-to-all between nodes in stages, in each of which a node sends at most one message and
/// receives at most one. Memory: 2 bytes for each node and stage.
class StageTable {
  public:
    static constexpr std::int32_t rest = -1;  ///< a node that sends, or receives, nothing
    static constexpr std::int32_t most_nodes = 65'535;

    /// All nodes rest. Throws std::length_error if there are too many of them.
    StageTable(std::int32_t stages, std::int32_t nodes);

    std::int32_t stages() const { return stages_; }
    std::int32_t nodes() const { return nodes_; }
    std::int32_t receiver(std::int32_t stage, std::int32_t sender) const {
        const std::uint16_t kept = receivers_[at(stage, sender)];
        return kept == resting ? rest : kept;
    }
    void set_receiver(std::int32_t stage, std::int32_t sender, std::int32_t receiver) {
        receivers_[at(stage, sender)] = static_cast<std::uint16_t>(receiver);
    }

    /// [stage] -> the node that `receiver` receives from. Cost: stages x nodes.
    std::vector<std::int32_t> senders_to(std::int32_t receiver) const;
    /// Every message goes from its receiver to its sender.
    StageTable reversed() const;

    friend bool operator==(const StageTable&, const StageTable&) = default;

  private:
    static constexpr std::uint16_t resting = 0xFFFF;  // what -1 becomes
    std::size_t at(std::int32_t stage, std::int32_t node) const {
        return static_cast<std::size_t>(stage) * nodes_ + node;
    }

    std::int32_t stages_;
    std::int32_t nodes_;
    std::vector<std::uint16_t> receivers_;
};

}  // namespace tasuki

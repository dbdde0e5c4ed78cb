// Where nodes are in a fat-tree, and by which roots they are reached.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/leaf_demand.hpp"
#include "fabric/route_table.hpp"
#include "fabric/stage_table.hpp"

namespace tasuki {

/// A fat-tree as the nodes of a job see it. `height` is the number of levels of switches that a
/// message may climb: 1 in a two-level tree. For each node and level a *group* says what it belongs
/// to (its leaf, and above that the leaves that reach each other lower down), and a *root* says
/// which way up messages to it take from there. What the roots say holds for messages from
/// everywhere, as forwarding tables that look at the destination alone make it.
///
/// The text form names nodes in order, GROUP[.GROUP...]/ROOT[.ROOT...], separated by commas:
/// "0/0,0/1,1/2" are two nodes under leaf 0 and one under leaf 1. "sender:" before it says that the
/// sender's root counts, not the receiver's, as in UCX.
///
/// Stages are built when they are asked for first, and kept: 2 bytes for each node and stage.
class NodeRoutes {
  public:
    enum class ChosenBy : std::uint8_t { receiver, sender };

    /// `groups` and `roots` are [node, level]. Throws std::invalid_argument where nodes of one
    /// group are in different groups further up, or a number is negative.
    NodeRoutes(std::int32_t height, std::vector<std::int32_t> groups,
               std::vector<std::int32_t> roots, ChosenBy chosen_by = ChosenBy::receiver);

    /// Throws std::invalid_argument that names what was expected.
    static std::shared_ptr<const NodeRoutes> parse(std::string_view text);
    std::string text() const;
    /// The text form of one node.
    std::string text_of(std::int32_t node) const;

    std::int32_t nodes() const { return static_cast<std::int32_t>(groups_.size()) / height_; }
    std::int32_t height() const { return height_; }
    ChosenBy chosen_by() const { return chosen_by_; }

    /// Of some of the nodes, in the order in which they are named.
    std::shared_ptr<const NodeRoutes> of(std::span<const std::int32_t> nodes) const;

    /// Whether this is a two-level tree where no two nodes share a downlink: then stages() has the
    /// least number of stages.
    bool has_own_downlinks() const;
    /// No schedule without hot spots has fewer stages.
    std::int32_t least_stages() const;
    /// An all-to-all of the nodes without hot spots. Equal routes give equal stages, everywhere.
    const StageTable& stages() const;

    friend bool operator==(const NodeRoutes& a, const NodeRoutes& b) {
        return a.height_ == b.height_ && a.chosen_by_ == b.chosen_by_ && a.groups_ == b.groups_ &&
               a.roots_ == b.roots_;
    }

  private:
    std::int32_t group(std::int32_t node, std::int32_t level) const {
        return groups_[static_cast<std::size_t>(node) * height_ + level];
    }
    std::vector<std::int32_t> ways_up(std::int32_t level) const;
    LeafDemand demand() const;
    RouteTable route_table() const;

    std::int32_t height_;
    ChosenBy chosen_by_;
    std::vector<std::int32_t> groups_;
    std::vector<std::int32_t> roots_;
    mutable std::once_flag built_;
    mutable std::unique_ptr<const StageTable> stages_;
};

}  // namespace tasuki

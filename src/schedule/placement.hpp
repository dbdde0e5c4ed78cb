// Which rank runs on which node, and where the nodes are in the fabric.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/node_routes.hpp"

namespace tasuki {

/// Nodes are numbered in the order of their lowest rank, so that every rank that is told the same
/// placement numbers them alike.
///
/// Memory: constant where consecutive ranks fill the nodes evenly (the last may have fewer), which
/// is what launchers do by default; 12 bytes a rank otherwise.
class Placement {
  public:
    Placement() : Placement(one_node(1)) {}

    static Placement one_node(std::int32_t ranks) { return blocks(ranks, ranks); }
    /// Ranks 0 .. ranks_per_node - 1 on node 0, the next ones on node 1, and so on.
    static Placement blocks(std::int32_t ranks, std::int32_t ranks_per_node);
    /// `node_of_rank[r]` is any number that is equal for ranks of the same node.
    static Placement from_nodes(std::span<const std::int32_t> node_of_rank);
    /// Reads "NODESxRANKS" (2x4), "RANKS_PER_NODE" (4) or the node of every rank (0,0,1,1). After
    /// an @ the routes of the nodes may follow, as NodeRoutes writes them (2x4@0/0,1/1). Throws
    /// std::invalid_argument that names what was expected.
    static Placement parse(std::string_view text, std::int32_t ranks);

    std::int32_t ranks() const { return ranks_; }
    std::int32_t nodes() const { return nodes_; }
    std::int32_t node_of(std::int32_t rank) const;
    /// How many ranks run on `node`.
    std::int32_t ranks_on(std::int32_t node) const;
    /// The rank that is number `local` on `node`, in ascending order of ranks.
    std::int32_t rank_at(std::int32_t node, std::int32_t local) const;
    /// The inverse: which number `rank` is on its node.
    std::int32_t local_of(std::int32_t rank) const;
    /// The largest number of ranks on one node.
    std::int32_t most_ranks_on_a_node() const;
    /// What parse() reads back: "2x4" where the blocks are even, else a list; then the routes.
    std::string text() const;
    /// text() without the routes.
    std::string nodes_text() const;

    /// The same on a fabric where `routes` leads to the nodes. Throws std::invalid_argument where
    /// it is for another number of nodes.
    Placement with_routes(std::shared_ptr<const NodeRoutes> routes) const;
    /// The same without routes, and why: a sentence that begins in lower case.
    Placement without_routes(std::string why) const;
    /// nullptr where they are not known.
    const NodeRoutes* routes() const { return routes_.get(); }
    std::string why_no_routes() const;

    /// Equal ranks on equal nodes with equal routes.
    friend bool operator==(const Placement& a, const Placement& b);

  private:
    Placement(std::int32_t ranks, std::int32_t ranks_per_node);
    static Placement parse_nodes(std::string_view text, std::int32_t ranks);

    std::int32_t ranks_ = 1;
    std::int32_t nodes_ = 1;
    std::int32_t ranks_per_node_ = 1;         // 0: irregular, the vectors below hold
    std::vector<std::int32_t> node_of_rank_;  // [ranks]
    std::vector<std::int32_t> node_begin_;    // [nodes + 1] into ranks_by_node_
    std::vector<std::int32_t> ranks_by_node_;
    std::vector<std::int32_t> local_of_rank_;
    std::shared_ptr<const NodeRoutes> routes_;
    std::string why_no_routes_;
};

}  // namespace tasuki

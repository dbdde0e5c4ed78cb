// What a chunk holds, as symbols.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "contract/contract.hpp"

namespace tasuki {

/// What one chunk holds in a symbolic run: input chunks, or a tree of reductions over them. Equal
/// numbers of one Expressions are equal trees.
using Value = std::int64_t;

/// Nothing has been written to the chunk.
inline constexpr Value unwritten = -1;
/// The chunk depends on something that has already been found wrong.
inline constexpr Value unknown = -2;

/// Keeps every tree once, so that equal subtrees cost nothing and compare in constant time.
class Expressions {
  public:
    explicit Expressions(const std::vector<Program>& programs);

    /// Input chunk `origin.chunk` of `origin.rank`, which must exist.
    Value leaf(const Origin& origin) const { return first_leaf_[origin.rank] + origin.chunk; }
    /// `left` op `right`; unknown if one of them is.
    Value combine(Value left, Value right);

    /// How many input chunks the tree has, counted as often as they occur, at most 2^61.
    std::int64_t leaf_count(Value value) const;
    /// The input chunks from left to right. Memory: leaf_count().
    std::vector<Origin> leaves(Value value) const;
    bool is_leaf(Value value) const { return value >= 0 && value < first_leaf_.back(); }
    /// The input chunk that a leaf is.
    Origin origin_of(Value leaf) const;
    /// Of a value that was combined.
    Value left_of(Value value) const { return node(value).left; }
    Value right_of(Value value) const { return node(value).right; }

    /// "((0.3 + 1.3) + 2.3)", where 1.3 is input chunk 3 of rank 1; cut after `most` characters.
    std::string text(Value value, std::size_t most = 2000) const;

  private:
    struct Node {
        Value left;
        Value right;
        std::int64_t leaf_count;

        bool operator==(const Node& other) const {
            return left == other.left && right == other.right;
        }
    };
    struct Hash {
        std::size_t operator()(const Node& node) const;
    };

    const Node& node(Value value) const { return nodes_[value - first_leaf_.back()]; }

    std::vector<Value> first_leaf_;  // [ranks + 1]; values from the last one on are nodes
    std::vector<Node> nodes_;
    std::unordered_map<Node, Value, Hash> known_;
};

}  // namespace tasuki

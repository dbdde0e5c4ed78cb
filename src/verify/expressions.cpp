#include "verify/expressions.hpp"

#include <algorithm>

namespace tasuki {

Expressions::Expressions(const std::vector<Program>& programs) {
    first_leaf_.reserve(programs.size() + 1);
    first_leaf_.push_back(0);
    for (const Program& program : programs) {
        first_leaf_.push_back(first_leaf_.back() + program.input_chunks);
    }
}

std::size_t Expressions::Hash::operator()(const Node& node) const {
    const auto left = static_cast<std::uint64_t>(node.left) * 0x9E3779B97F4A7C15ULL;
    return (left ^ (left >> 32)) + static_cast<std::uint64_t>(node.right) * 0xC2B2AE3D27D4EB4FULL;
}

Value Expressions::combine(Value left, Value right) {
    if (left < 0 || right < 0) return unknown;
    constexpr std::int64_t most = std::int64_t{1} << 61;  // twice that still fits
    const Node node{left, right, std::min(most, leaf_count(left) + leaf_count(right))};
    const auto next = first_leaf_.back() + static_cast<Value>(nodes_.size());
    const auto [known, is_new] = known_.try_emplace(node, next);
    if (is_new) nodes_.push_back(node);
    return known->second;
}

std::int64_t Expressions::leaf_count(Value value) const {
    if (value < 0) return 0;
    return is_leaf(value) ? 1 : node(value).leaf_count;
}

Origin Expressions::origin_of(Value leaf) const {
    const auto next = std::upper_bound(first_leaf_.begin(), first_leaf_.end(), leaf);
    const auto rank = static_cast<std::int32_t>(next - first_leaf_.begin()) - 1;
    return {rank, static_cast<std::int32_t>(leaf - first_leaf_[rank])};
}

std::vector<Origin> Expressions::leaves(Value value) const {
    std::vector<Origin> found;
    std::vector<Value> open;  // a chain of a million reductions must not end the stack
    if (value >= 0) open.push_back(value);
    while (!open.empty()) {
        const Value next = open.back();
        open.pop_back();
        if (is_leaf(next)) {
            found.push_back(origin_of(next));
        } else {
            open.push_back(node(next).right);
            open.push_back(node(next).left);
        }
    }
    return found;
}

std::string Expressions::text(Value value, std::size_t most) const {
    if (value == unwritten) return "nothing";
    if (value == unknown) return "something unknown";
    constexpr Value plus = -3;
    constexpr Value close = -4;
    std::string text;
    std::vector<Value> open{value};
    while (!open.empty()) {
        if (text.size() > most) return text + "...";
        const Value next = open.back();
        open.pop_back();
        if (next == plus) {
            text += " + ";
        } else if (next == close) {
            text += ")";
        } else if (is_leaf(next)) {
            const Origin origin = origin_of(next);
            text += std::to_string(origin.rank) + "." + std::to_string(origin.chunk);
        } else {
            text += "(";
            open.insert(open.end(), {close, node(next).right, plus, node(next).left});
        }
    }
    return text;
}

}  // namespace tasuki

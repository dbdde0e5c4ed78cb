#include "schedule/placement.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "schedule/whole_number.hpp"

namespace tasuki {

namespace {

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
    throw std::invalid_argument("placement \"" + std::string(text) + "\": " + why +
                                "; expected NODESxRANKS_PER_NODE (2x4), RANKS_PER_NODE (4) or the "
                                "node of every rank (0,0,1,1)");
}

std::int32_t parse_number(std::string_view text, std::string_view whole) {
    const auto value = whole_number<std::int32_t>(text);
    if (!value || *value < 0) refuse(whole, "\"" + std::string(text) + "\" is not a number");
    return *value;
}

}  // namespace

Placement::Placement(std::int32_t ranks, std::int32_t ranks_per_node)
    : ranks_(ranks), nodes_((ranks - 1) / ranks_per_node + 1), ranks_per_node_(ranks_per_node) {}

Placement Placement::blocks(std::int32_t ranks, std::int32_t ranks_per_node) {
    if (ranks < 1 || ranks_per_node < 1) {
        throw std::invalid_argument("a placement needs at least one rank and one rank per node");
    }
    return Placement(ranks, std::min(ranks, ranks_per_node));
}

Placement Placement::from_nodes(std::span<const std::int32_t> node_of_rank) {
    if (node_of_rank.empty()) throw std::invalid_argument("a placement needs at least one rank");
    const auto ranks = static_cast<std::int32_t>(node_of_rank.size());
    Placement placement(ranks, ranks);
    std::map<std::int32_t, std::int32_t> number_of;  // in order of the lowest rank
    placement.node_of_rank_.reserve(node_of_rank.size());
    for (std::int32_t node : node_of_rank) {
        const auto next = static_cast<std::int32_t>(number_of.size());
        placement.node_of_rank_.push_back(number_of.try_emplace(node, next).first->second);
    }
    placement.nodes_ = static_cast<std::int32_t>(number_of.size());

    const auto first_size = static_cast<std::int32_t>(
        std::count(placement.node_of_rank_.begin(), placement.node_of_rank_.end(), 0));
    bool even = true;
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        even = even && placement.node_of_rank_[rank] == rank / first_size;
    }
    if (even) return blocks(ranks, first_size);

    placement.ranks_per_node_ = 0;
    placement.node_begin_.assign(placement.nodes_ + 1, 0);
    for (std::int32_t node : placement.node_of_rank_) ++placement.node_begin_[node + 1];
    for (std::int32_t node = 0; node < placement.nodes_; ++node) {
        placement.node_begin_[node + 1] += placement.node_begin_[node];
    }
    placement.ranks_by_node_.resize(ranks);
    placement.local_of_rank_.resize(ranks);
    std::vector<std::int32_t> filled(placement.nodes_, 0);
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        const std::int32_t node = placement.node_of_rank_[rank];
        placement.local_of_rank_[rank] = filled[node];
        placement.ranks_by_node_[placement.node_begin_[node] + filled[node]++] = rank;
    }
    return placement;
}

Placement Placement::parse(std::string_view text, std::int32_t ranks) {
    const auto sign = text.find('@');
    Placement placement = parse_nodes(text.substr(0, sign), ranks);
    if (sign == std::string_view::npos) return placement;
    return placement.with_routes(NodeRoutes::parse(text.substr(sign + 1)));
}

Placement Placement::parse_nodes(std::string_view text, std::int32_t ranks) {
    if (const auto cross = text.find('x'); cross != std::string_view::npos) {
        const std::int32_t nodes = parse_number(text.substr(0, cross), text);
        const std::int32_t per_node = parse_number(text.substr(cross + 1), text);
        if (std::int64_t{nodes} * per_node != ranks) {
            refuse(text, "does not make " + std::to_string(ranks) + " ranks");
        }
        return blocks(ranks, per_node);
    }
    std::vector<std::int32_t> node_of_rank;
    for (std::string_view rest = text; !rest.empty() || node_of_rank.empty();) {
        const auto comma = rest.find(',');
        node_of_rank.push_back(parse_number(rest.substr(0, comma), text));
        if (comma == std::string_view::npos) break;
        rest.remove_prefix(comma + 1);
    }
    if (node_of_rank.size() == 1 && (ranks != 1 || node_of_rank[0] != 0)) {
        if (node_of_rank[0] < 1) refuse(text, "a node needs a rank");
        return blocks(ranks, node_of_rank[0]);
    }
    if (node_of_rank.size() != static_cast<std::size_t>(ranks)) {
        refuse(text, "names the nodes of " + std::to_string(node_of_rank.size()) +
                         " ranks, there are " + std::to_string(ranks));
    }
    return from_nodes(node_of_rank);
}

std::int32_t Placement::node_of(std::int32_t rank) const {
    return ranks_per_node_ > 0 ? rank / ranks_per_node_ : node_of_rank_[rank];
}

std::int32_t Placement::ranks_on(std::int32_t node) const {
    if (ranks_per_node_ == 0) return node_begin_[node + 1] - node_begin_[node];
    return std::min(ranks_per_node_, ranks_ - node * ranks_per_node_);
}

std::int32_t Placement::rank_at(std::int32_t node, std::int32_t local) const {
    return ranks_per_node_ > 0 ? node * ranks_per_node_ + local
                               : ranks_by_node_[node_begin_[node] + local];
}

std::int32_t Placement::local_of(std::int32_t rank) const {
    return ranks_per_node_ > 0 ? rank % ranks_per_node_ : local_of_rank_[rank];
}

std::int32_t Placement::most_ranks_on_a_node() const {
    if (ranks_per_node_ > 0) return ranks_per_node_;
    std::int32_t most = 0;
    for (std::int32_t node = 0; node < nodes_; ++node) most = std::max(most, ranks_on(node));
    return most;
}

std::string Placement::nodes_text() const {
    if (ranks_per_node_ > 0 && ranks_ % ranks_per_node_ == 0) {
        return std::to_string(nodes_) + "x" + std::to_string(ranks_per_node_);
    }
    if (ranks_per_node_ > 0) return std::to_string(ranks_per_node_);
    std::string list;
    for (std::int32_t node : node_of_rank_)
        list += (list.empty() ? "" : ",") + std::to_string(node);
    return list;
}

std::string Placement::text() const {
    return routes_ == nullptr ? nodes_text() : nodes_text() + "@" + routes_->text();
}

Placement Placement::with_routes(std::shared_ptr<const NodeRoutes> routes) const {
    if (routes->nodes() != nodes_) {
        throw std::invalid_argument("there are routes of " + std::to_string(routes->nodes()) +
                                    " nodes, the placement has " + std::to_string(nodes_));
    }
    Placement placement = *this;
    placement.routes_ = std::move(routes);
    return placement;
}

Placement Placement::without_routes(std::string why) const {
    Placement placement = *this;
    placement.routes_ = nullptr;
    placement.why_no_routes_ = std::move(why);
    return placement;
}

std::string Placement::why_no_routes() const {
    return !why_no_routes_.empty()
               ? why_no_routes_
               : "no fabric was named, by --fabric FILE or, for a run, by TASUKI_FABRIC";
}

bool operator==(const Placement& a, const Placement& b) {
    const bool same_routes = a.routes_ == nullptr || b.routes_ == nullptr
                                 ? a.routes_ == b.routes_
                                 : *a.routes_ == *b.routes_;
    return same_routes && a.ranks_ == b.ranks_ && a.nodes_ == b.nodes_ &&
           a.ranks_per_node_ == b.ranks_per_node_ && a.node_of_rank_ == b.node_of_rank_;
}

}  // namespace tasuki

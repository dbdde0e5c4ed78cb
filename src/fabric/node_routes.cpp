#include "fabric/node_routes.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "fabric/contention_free.hpp"
#include "fabric/first_fit.hpp"

namespace tasuki {

namespace {

/// Each value's place among the different ones.
std::vector<std::int32_t> numbered(const std::vector<std::vector<std::int32_t>>& values) {
    std::map<std::vector<std::int32_t>, std::int32_t> number_of;
    for (const auto& value : values) number_of.try_emplace(value, 0);
    std::int32_t next = 0;
    for (auto& [value, number] : number_of) number = next++;
    std::vector<std::int32_t> numbers;
    numbers.reserve(values.size());
    for (const auto& value : values) numbers.push_back(number_of.at(value));
    return numbers;
}

}  // namespace

NodeRoutes::NodeRoutes(std::int32_t height, std::vector<std::int32_t> groups,
                       std::vector<std::int32_t> roots, ChosenBy chosen_by)
    : height_(height), chosen_by_(chosen_by), groups_(std::move(groups)), roots_(std::move(roots)) {
    if (height_ < 1 || groups_.empty() || groups_.size() % height_ != 0 ||
        groups_.size() != roots_.size()) {
        throw std::invalid_argument("routes need a node, and for each a group and a root a level");
    }
    std::vector<std::map<std::int32_t, std::int32_t>> above(height_);
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        if (groups_[i] < 0 || roots_[i] < 0) {
            throw std::invalid_argument("groups and roots are numbered from 0");
        }
        const std::size_t level = i % height_;
        if (static_cast<std::int32_t>(level) + 1 == height_) continue;
        const auto [known, is_new] = above[level].try_emplace(groups_[i], groups_[i + 1]);
        if (!is_new && known->second != groups_[i + 1]) {
            throw std::invalid_argument("group " + std::to_string(groups_[i]) + " of level " +
                                        std::to_string(level + 1) + " is in the groups " +
                                        std::to_string(known->second) + " and " +
                                        std::to_string(groups_[i + 1]) + " of the level above");
        }
    }
}

std::shared_ptr<const NodeRoutes> NodeRoutes::of(std::span<const std::int32_t> nodes) const {
    std::vector<std::int32_t> groups, roots;
    for (const std::int32_t node : nodes) {
        const std::ptrdiff_t begin = std::ptrdiff_t{node} * height_;
        groups.insert(groups.end(), groups_.begin() + begin, groups_.begin() + begin + height_);
        roots.insert(roots.end(), roots_.begin() + begin, roots_.begin() + begin + height_);
    }
    return std::make_shared<const NodeRoutes>(height_, std::move(groups), std::move(roots),
                                              chosen_by_);
}

bool NodeRoutes::has_own_downlinks() const {
    if (height_ != 1) return false;
    const bool is_one_leaf = std::ranges::all_of(groups_, [&](auto g) { return g == groups_[0]; });
    std::set<std::pair<std::int32_t, std::int32_t>> downlinks;
    for (std::size_t node = 0; node < groups_.size(); ++node) {
        downlinks.emplace(groups_[node], roots_[node]);
    }
    return is_one_leaf || downlinks.size() == groups_.size();
}

/// [node] -> number of the way by which messages to it climb up to and out of `level`.
std::vector<std::int32_t> NodeRoutes::ways_up(std::int32_t level) const {
    std::vector<std::vector<std::int32_t>> ways;
    for (std::int32_t node = 0; node < nodes(); ++node) {
        const auto begin = roots_.begin() + std::ptrdiff_t{node} * height_;
        ways.emplace_back(begin, begin + level + 1);
    }
    return numbered(ways);
}

LeafDemand NodeRoutes::demand() const {
    std::vector<std::vector<std::int32_t>> leaves;
    for (std::int32_t node = 0; node < nodes(); ++node) leaves.push_back({group(node, 0)});
    LeafDemand demand;
    demand.leaf = numbered(leaves);
    demand.leaves = *std::max_element(demand.leaf.begin(), demand.leaf.end()) + 1;
    const std::vector<std::int32_t> way = ways_up(0);
    const std::int32_t ways = *std::max_element(way.begin(), way.end()) + 1;
    demand.uplink.reserve(static_cast<std::size_t>(demand.leaves) * nodes());
    for (std::int32_t leaf = 0; leaf < demand.leaves; ++leaf) {
        for (std::int32_t node = 0; node < nodes(); ++node) {
            demand.uplink.push_back(demand.leaf[node] == leaf ? -1 : leaf * ways + way[node]);
        }
    }
    return demand;
}

/// As if receivers chose; for senders everything is reversed afterwards.
RouteTable NodeRoutes::route_table() const {
    RouteTable table{nodes(), 2 * height_, {}};
    table.links.assign(static_cast<std::size_t>(nodes()) * nodes() * table.most_hops, -1);
    std::map<std::vector<std::int32_t>, std::int32_t> number_of;
    for (std::int32_t level = 0; level < height_; ++level) {
        const std::vector<std::int32_t> way = ways_up(level);
        for (std::int32_t sender = 0; sender < nodes(); ++sender) {
            for (std::int32_t receiver = 0; receiver < nodes(); ++receiver) {
                if (group(sender, level) == group(receiver, level)) continue;
                const auto number = [&](std::int32_t direction, std::int32_t node) {
                    return number_of
                        .try_emplace({direction, level, group(node, level), way[receiver]},
                                     static_cast<std::int32_t>(number_of.size()))
                        .first->second;
                };
                const auto pair = static_cast<std::size_t>(sender) * nodes() + receiver;
                const auto hop = table.links.begin() +
                                 static_cast<std::ptrdiff_t>(pair * table.most_hops) + 2 * level;
                hop[0] = number(0, sender);
                hop[1] = number(1, receiver);
            }
        }
    }
    return table;
}

std::int32_t NodeRoutes::least_stages() const {
    return has_own_downlinks() ? demand().least_stages() : route_table().least_stages();
}

const StageTable& NodeRoutes::stages() const {
    std::call_once(built_, [this] {
        StageTable made =
            has_own_downlinks() ? contention_free(demand()) : first_fit(route_table());
        // Seen backwards, a way that the receiver chose is one that the sender chose.
        if (chosen_by_ == ChosenBy::sender) made = made.reversed();
        stages_ = std::make_unique<const StageTable>(std::move(made));
    });
    return *stages_;
}

}  // namespace tasuki

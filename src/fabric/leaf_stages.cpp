#include "fabric/leaf_stages.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace tasuki {

namespace {

constexpr std::int32_t nobody = -1;
/// Far beyond any walk seen; it ends what a mistake in the demand would make endless.
constexpr std::int64_t longest_walk = 1'000'000;

/// The messages that are left, and the capacities of the stage that is being made.
///
/// Everything is made full, so that every stage must use all of it: resting is an extra leaf, and
/// extra nodes send the messages that leaves have to spare. An uplink of which as many messages are
/// left as stages has a place of its own at its leaf, which must be taken in this stage.
class Peeling {
  public:
    Peeling(const LeafDemand& demand, std::int32_t stages)
        : stages_(stages),
          nodes_(demand.nodes()),
          leaves_(demand.leaves + 1),
          rest_leaf_(demand.leaves),
          no_link_(demand.uplinks()),
          capacity_(demand.occupancy()) {
        const std::int32_t spare_stages = stages - (nodes_ - 1);
        const std::int64_t spare = std::int64_t{spare_stages} * nodes_;
        extra_ = stages == 0 ? 0 : static_cast<std::int32_t>((spare + stages - 1) / stages);
        number_links(demand);
        list_messages(demand, spare_stages, spare);
        capacity_.push_back(extra_);
        link_left_.assign(no_link_ + 1, 0);
        for (std::int32_t node = 0; node < nodes_ + extra_; ++node) {
            for (std::int32_t message = 0; message < stages_; ++message) {
                ++link_left_[link(node, left(node)[message])];
            }
        }
        chosen_.resize(nodes_ + extra_);
        place_.resize(nodes_ + extra_);
    }

    std::vector<std::int32_t> run() {
        std::vector<std::int32_t> table(static_cast<std::size_t>(stages_) * nodes_);
        auto entry = table.begin();
        for (std::int32_t remaining = stages_; remaining > 0; --remaining) {
            make_stage(remaining);
            for (std::int32_t node = 0; node < nodes_; ++node) {
                const std::int32_t leaf = left(node)[chosen_[node]];
                *entry++ = leaf == rest_leaf_ ? nobody : leaf;
            }
            take_away(remaining);
        }
        return table;
    }

  private:
    /// The leaves that `node` has still to receive from come first in its row.
    std::int32_t* left(std::int32_t node) {
        return left_.data() + static_cast<std::size_t>(node) * stages_;
    }
    /// Messages without an uplink (own leaf, rest) count under one that is never full.
    std::int32_t link(std::int32_t node, std::int32_t leaf) const {
        if (node >= nodes_ || leaf == rest_leaf_) return no_link_;
        return link_of_[static_cast<std::size_t>(node) * leaves_ + leaf];
    }

    void number_links(const LeafDemand& demand) {
        link_of_.assign(static_cast<std::size_t>(nodes_) * leaves_, no_link_);
        leaf_of_link_.assign(no_link_ + 1, 0);
        for (std::int32_t leaf = 0; leaf < demand.leaves; ++leaf) {
            for (std::int32_t node = 0; node < nodes_; ++node) {
                const std::int32_t uplink = demand.uplink_of(leaf, node);
                if (uplink < 0) continue;
                link_of_[static_cast<std::size_t>(node) * leaves_ + leaf] = uplink;
                leaf_of_link_[uplink] = leaf;
            }
        }
    }

    void list_messages(const LeafDemand& demand, std::int32_t spare_stages, std::int64_t spare) {
        left_.resize(static_cast<std::size_t>(nodes_ + extra_) * stages_);
        for (std::int32_t node = 0; node < nodes_; ++node) {
            std::int32_t* next = left(node);
            for (std::int32_t leaf = 0; leaf < demand.leaves; ++leaf) {
                const std::int32_t to_itself = leaf == demand.leaf[node] ? 1 : 0;
                next = std::fill_n(next, capacity_[leaf] - to_itself, leaf);
            }
            std::fill_n(next, spare_stages, rest_leaf_);
        }
        std::int64_t filled = 0;  // the extra nodes take turns
        const auto fill = [&](std::int64_t count, std::int32_t leaf) {
            for (; count > 0; --count, ++filled) {
                left(nodes_ + static_cast<std::int32_t>(filled % extra_))[filled / extra_] = leaf;
            }
        };
        for (std::int32_t leaf = 0; leaf < demand.leaves; ++leaf) {
            fill(std::int64_t{capacity_[leaf]} * spare_stages, leaf);
        }
        fill(std::int64_t{extra_} * stages_ - spare, rest_leaf_);
    }

    /// One integral flow, into chosen_.
    void make_stage(std::int32_t remaining) {
        room_ = capacity_;
        is_full_.assign(no_link_ + 1, false);
        for (std::int32_t link = 0; link < no_link_; ++link) {
            if (link_left_[link] != remaining) continue;
            is_full_[link] = true;
            --room_[leaf_of_link_[link]];
        }
        holders_.resize(leaves_);
        for (auto& list : holders_) list.clear();
        holder_of_link_.assign(no_link_ + 1, nobody);
        for (std::int32_t node = 0; node < nodes_ + extra_; ++node) walk(node, remaining);
    }

    void walk(std::int32_t node, std::int32_t remaining) {
        for (std::int64_t steps = 0; node != nobody; ++steps) {
            if (steps == longest_walk) {
                throw std::logic_error("a walk did not end: there are fewer stages than needed");
            }
            random_ = random_ * 6364136223846793005u + 1442695040888963407u;
            chosen_[node] = static_cast<std::int32_t>((random_ >> 33) % remaining);
            const std::int32_t leaf = left(node)[chosen_[node]];
            const std::int32_t uplink = link(node, leaf);
            node = is_full_[uplink] ? std::exchange(holder_of_link_[uplink], node)
                                    : take_place(node, leaf, uplink);
        }
    }

    /// Gives `node` a place at `leaf`; who has to go is returned, or nobody.
    std::int32_t take_place(std::int32_t node, std::int32_t leaf, std::int32_t uplink) {
        std::vector<std::int32_t>& mine = holders_[leaf];
        std::int32_t evicted = uplink == no_link_ ? nobody : holder_of_link_[uplink];
        if (evicted != nobody) {
            place_[node] = place_[evicted];
        } else if (static_cast<std::int32_t>(mine.size()) < room_[leaf]) {
            place_[node] = static_cast<std::int32_t>(mine.size());
            mine.push_back(nobody);
        } else if (room_[leaf] == 0) {
            return node;  // all of this leaf is kept for full uplinks: it tries another message
        } else {
            place_[node] = static_cast<std::int32_t>((random_ >> 20) % room_[leaf]);
            evicted = mine[place_[node]];
            const std::int32_t old_link = link(evicted, leaf);
            if (old_link != no_link_) holder_of_link_[old_link] = nobody;
        }
        mine[place_[node]] = node;
        if (uplink != no_link_) holder_of_link_[uplink] = node;
        return evicted;
    }

    void take_away(std::int32_t remaining) {
        for (std::int32_t node = 0; node < nodes_ + extra_; ++node) {
            std::int32_t& taken = left(node)[chosen_[node]];
            --link_left_[link(node, taken)];
            taken = left(node)[remaining - 1];
        }
    }

    std::int32_t stages_;
    std::int32_t nodes_;
    std::int32_t leaves_;  // with the one to rest
    std::int32_t rest_leaf_;
    std::int32_t no_link_;
    std::int32_t extra_ = 0;               // nodes that are added
    std::vector<std::int32_t> capacity_;   // [leaf]
    std::vector<std::int32_t> link_of_;    // [node, leaf]
    std::vector<std::int32_t> left_;       // [node, message]
    std::vector<std::int32_t> link_left_;  // [link] -> messages
    std::vector<std::int32_t> leaf_of_link_;
    std::uint64_t random_ = 0x9E3779B97F4A7C15u;

    // Of the stage that is being made:
    std::vector<std::int32_t> chosen_;  // [node] -> message
    std::vector<std::int32_t> place_;   // [node] -> in holders_ of its leaf
    std::vector<std::int32_t> room_;    // [leaf]
    std::vector<std::vector<std::int32_t>> holders_;
    std::vector<bool> is_full_;  // [link]
    std::vector<std::int32_t> holder_of_link_;
};

}  // namespace

std::vector<std::int32_t> leaf_stages(const LeafDemand& demand, std::int32_t stages) {
    const std::int32_t least = demand.least_stages();
    if (stages < least) {
        throw std::invalid_argument(std::to_string(stages) +
                                    " stages are too few: the demand needs " +
                                    std::to_string(least));
    }
    return Peeling(demand, stages).run();
}

}  // namespace tasuki

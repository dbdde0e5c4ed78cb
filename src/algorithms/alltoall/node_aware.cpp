#include <algorithm>
#include <span>
#include <vector>

#include "algorithms/generators.hpp"
#include "algorithms/partners.hpp"
#include "algorithms/regions.hpp"
#include "schedule/builder.hpp"

namespace tasuki::alltoall {

namespace {

// Every node has leaders, spread evenly over its ranks. The blocks from node A to node B travel in
// lanes, as many as both nodes have leaders: lane i takes those for the i-th share of the ranks of
// B, in one message from leader i of A to leader i of B. So a node pair has one message a lane, and
// with as many leaders as ranks the blocks arrive where they are wanted.
//
// Messages between two ranks of a node are in this order: gathered for a leader, for the rank
// itself, scattered by a leader.
class NodeAware {
  public:
    NodeAware(std::int32_t rank, const Instance& instance)
        : rank_(rank),
          placement_(instance.placement),
          asked_leaders_(instance.parameters.get("leaders")),
          node_(placement_.node_of(rank)),
          local_(placement_.local_of(rank)),
          size_(placement_.ranks_on(node_)),
          leaders_(leaders_of(node_)),
          program_(instance.ranks, instance.ranks) {
        for (std::int32_t leader = 0; leader < leaders_; ++leader) {
            if (local_of_leader(leader, node_) == local_) lane_ = leader;
        }
    }

    Program finish() {
        for (std::int32_t leader = 0; leader < leaders_; ++leader) gather(leader);
        exchange_inside();
        if (is_leader()) {
            exchange_between();
            scatter();
        }
        for (std::int32_t leader = 0; leader < leaders_; ++leader) take_scattered(leader);
        program_.copy(input(rank_), output(rank_));
        return program_.finish();
    }

  private:
    /// The locals of a node that a lane ends at.
    struct Share {
        std::int32_t begin;
        std::int32_t end;

        std::int32_t size() const { return end - begin; }
        bool has(std::int32_t local) const { return begin <= local && local < end; }
    };

    /// What has come from another node and waits to be scattered: [source local][local of share].
    struct Arrived {
        std::int32_t node;
        Share share;
        std::int32_t first;  // scratch chunk
        StepId received;
    };

    /// Some of what a message carries, and what must have happened before it is read.
    struct Part {
        Region region;
        std::span<const StepId> after = {};
    };

    bool is_leader() const { return lane_ >= 0; }

    std::int32_t leaders_of(std::int32_t node) const {
        const std::int32_t ranks = placement_.ranks_on(node);
        if (asked_leaders_ == 0) return ranks;
        return static_cast<std::int32_t>(std::min<std::int64_t>(asked_leaders_, ranks));
    }

    std::int32_t local_of_leader(std::int32_t leader, std::int32_t node) const {
        return static_cast<std::int32_t>(std::int64_t{leader} * placement_.ranks_on(node) /
                                         leaders_of(node));
    }

    /// How many lanes there are between this rank's node and another one.
    std::int32_t lanes_with(std::int32_t node) const {
        return std::min(leaders_, leaders_of(node));
    }

    /// The share of a lane on `node`, which is one end of a node pair with that many lanes.
    Share share_of(std::int32_t lane, std::int32_t lanes, std::int32_t node) const {
        const std::int64_t ranks = placement_.ranks_on(node);
        return {static_cast<std::int32_t>(lane * ranks / lanes),
                static_cast<std::int32_t>((lane + 1) * ranks / lanes)};
    }

    /// Calls visit(other node, lanes) for the node pairs that use a lane, the next node first.
    template <typename Visit>
    void for_each_node(std::int32_t lane, Visit visit) const {
        for (std::int32_t distance = 1; distance < placement_.nodes(); ++distance) {
            const std::int32_t node = shifted(node_, distance, placement_.nodes()).destination;
            const std::int32_t lanes = lanes_with(node);
            if (lane < lanes) visit(node, lanes);
        }
    }

    std::vector<std::int32_t> ranks_of(std::int32_t node, Share share) const {
        std::vector<std::int32_t> ranks;
        for (std::int32_t local = share.begin; local < share.end; ++local) {
            ranks.push_back(placement_.rank_at(node, local));
        }
        return ranks;
    }

    /// The ranks that this node reaches through one of its leaders.
    std::vector<std::int32_t> reached_through(std::int32_t leader) const {
        std::vector<std::int32_t> reached;
        for_each_node(leader, [&](std::int32_t node, std::int32_t lanes) {
            const auto ranks = ranks_of(node, share_of(leader, lanes, node));
            reached.insert(reached.end(), ranks.begin(), ranks.end());
        });
        return reached;
    }

    /// Copies the parts into neighbouring scratch chunks, each after what it waits for.
    std::vector<StepId> pack(const std::vector<Part>& parts, std::int32_t first) {
        std::vector<StepId> copies;
        for (const auto& [region, after] : parts) {
            copies.push_back(program_.copy(region, scratch(first, region.count), after));
            first += region.count;
        }
        return copies;
    }

    /// Sends the parts as one message: straight from place where they are one run, else packed.
    void send_parts(std::int32_t peer, const std::vector<Part>& parts) {
        if (parts.size() == 1 && parts[0].region.is_contiguous()) {
            program_.send(peer, parts[0].region, parts[0].after);
            return;
        }
        std::int32_t count = 0;
        for (const Part& part : parts) count += part.region.count;
        const std::int32_t packed = program_.reserve_scratch(count);
        program_.send(peer, scratch(packed, count), pack(parts, packed));
    }

    /// Every rank gives each leader what travels through it: [source local][rank reached].
    void gather(std::int32_t leader) {
        const std::vector<std::int32_t> reached = reached_through(leader);
        if (reached.empty()) return;
        const auto count = static_cast<std::int32_t>(reached.size());
        std::vector<Part> parts;
        for (const Region& region : regions_of(Space::input, reached)) parts.push_back({region});
        if (leader != lane_) {
            const std::int32_t peer = placement_.rank_at(node_, local_of_leader(leader, node_));
            send_parts(peer, parts);
            return;
        }
        reached_ = count;
        gathered_ = program_.reserve_scratch(std::int64_t{size_} * count);
        for (std::int32_t local = 0; local < size_; ++local) {
            const std::int32_t first = gathered_ + local * count;
            if (local == local_) {
                const std::vector<StepId> copies = pack(parts, first);
                gathering_.insert(gathering_.end(), copies.begin(), copies.end());
            } else {
                gathering_.push_back(
                    program_.recv(placement_.rank_at(node_, local), scratch(first, count)));
            }
        }
    }

    /// Blocks for the own node go straight from rank to rank.
    void exchange_inside() {
        for (std::int32_t distance = 1; distance < size_; ++distance) {
            const Partners local = shifted(local_, distance, size_);
            const std::int32_t source = placement_.rank_at(node_, local.source);
            const std::int32_t destination = placement_.rank_at(node_, local.destination);
            program_.recv(source, output(source));
            program_.send(destination, input(destination));
        }
    }

    /// One message to and one from the same leader of every other node.
    void exchange_between() {
        std::int32_t first = gathered_;
        for_each_node(lane_, [&](std::int32_t node, std::int32_t lanes) {
            const std::int32_t peer = placement_.rank_at(node, local_of_leader(lane_, node));
            receive_from(node, peer, share_of(lane_, lanes, node_));
            const std::int32_t width = share_of(lane_, lanes, node).size();
            const bool all = width == reached_;
            const Region blocks =
                all ? scratch(first, size_ * width)
                    : strided(Space::scratch, first, size_ * width, width, reached_);
            send_parts(peer, {{blocks, gathering_}});
            first += width;
        });
    }

    void receive_from(std::int32_t node, std::int32_t peer, Share share) {
        const std::int32_t sources = placement_.ranks_on(node);
        if (share.size() == 1 && share.has(local_)) {
            const auto places = regions_of(Space::output, ranks_of(node, {0, sources}));
            if (places.size() == 1 && places[0].is_contiguous()) {
                program_.recv(peer, places[0]);
                return;
            }
        }
        const std::int32_t first = program_.reserve_scratch(std::int64_t{sources} * share.size());
        const StepId received = program_.recv(peer, scratch(first, sources * share.size()));
        arrived_.push_back({node, share, first, received});
    }

    void scatter() {
        for (std::int32_t local = 0; local < size_; ++local) {
            std::vector<Part> parts;
            for (const Arrived& arrived : arrived_) {
                if (!arrived.share.has(local)) continue;
                if (local == local_) {
                    place(arrived);
                    continue;
                }
                const Region blocks =
                    every(arrived.share.size(), arrived.first + local - arrived.share.begin,
                          placement_.ranks_on(arrived.node));
                parts.push_back({blocks, std::span(&arrived.received, 1)});
            }
            if (!parts.empty()) send_parts(placement_.rank_at(node_, local), parts);
        }
    }

    /// Copies one block from each rank of a node into the output.
    void place(const Arrived& arrived) {
        const std::int32_t step = arrived.share.size();
        std::int32_t first = arrived.first + local_ - arrived.share.begin;
        const auto ranks = ranks_of(arrived.node, {0, placement_.ranks_on(arrived.node)});
        for (const Region& places : regions_of(Space::output, ranks)) {
            program_.copy(every(step, first, places.count), places, {arrived.received});
            first += places.count * step;
        }
    }

    /// `count` scratch chunks, `step` apart.
    static Region every(std::int32_t step, std::int32_t first, std::int32_t count) {
        return step == 1 ? scratch(first, count) : strided(Space::scratch, first, count, 1, step);
    }

    /// Receives what a leader of this node scatters, and puts it in the order of ranks.
    void take_scattered(std::int32_t leader) {
        if (leader == lane_) return;
        std::vector<std::int32_t> sources;
        for_each_node(leader, [&](std::int32_t node, std::int32_t lanes) {
            if (!share_of(leader, lanes, node_).has(local_)) return;
            const auto ranks = ranks_of(node, {0, placement_.ranks_on(node)});
            sources.insert(sources.end(), ranks.begin(), ranks.end());
        });
        if (sources.empty()) return;
        const std::int32_t peer = placement_.rank_at(node_, local_of_leader(leader, node_));
        const std::vector<Region> places = regions_of(Space::output, sources);
        if (places.size() == 1 && places[0].is_contiguous()) {
            program_.recv(peer, places[0]);
            return;
        }
        const auto count = static_cast<std::int32_t>(sources.size());
        std::int32_t first = program_.reserve_scratch(count);
        const StepId received = program_.recv(peer, scratch(first, count));
        for (const Region& part : places) {
            program_.copy(scratch(first, part.count), part, {received});
            first += part.count;
        }
    }

    std::int32_t rank_;
    const Placement& placement_;
    std::int64_t asked_leaders_;
    std::int32_t node_;
    std::int32_t local_;
    std::int32_t size_;  // ranks of the own node
    std::int32_t leaders_;
    std::int32_t lane_ = -1;  // which leader this rank is
    ProgramBuilder program_;
    std::int32_t gathered_ = 0;  // scratch: [source local][rank reached]
    std::int32_t reached_ = 0;   // ranks reached through this leader
    std::vector<StepId> gathering_;
    std::vector<Arrived> arrived_;
};

}  // namespace

Program node_aware(std::int32_t rank, const Instance& instance) {
    return NodeAware(rank, instance).finish();
}

}  // namespace tasuki::alltoall

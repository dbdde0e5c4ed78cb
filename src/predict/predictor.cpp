#include "predict/predictor.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace tasuki {

namespace {

/// Steps that a walk of one rank inside a run may have, which take about half a millisecond ...
constexpr std::size_t most_steps = 4200;
/// ... and a walk of several ranks, which few algorithms need.
constexpr std::size_t most_steps_of_several = 3 * most_steps;
/// Up to here a program is short enough to be made just to see how long it is.
constexpr std::int32_t few_ranks = 256;

/// Programs of some ranks, each made once.
class Programs {
  public:
    Programs(const Algorithm& algorithm, const Instance& instance)
        : algorithm_(algorithm), instance_(instance) {}

    const Program& of(std::int32_t rank) {
        const auto [place, is_new] = made_.try_emplace(rank);
        if (is_new) place->second = algorithm_.generate(rank, instance_);
        return place->second;
    }

    /// The programs of the representatives are given away.
    Walk walk(const Symmetry& symmetry) && {
        std::vector<Program> programs;
        programs.reserve(symmetry.representatives);
        for (std::int32_t rank = 0; rank < symmetry.representatives; ++rank) {
            of(rank);
            programs.push_back(std::move(made_.at(rank)));
        }
        return Walk(programs, symmetry, instance_.placement);
    }
    Walk walk_in_step() {
        const std::int32_t last = instance_.ranks - 1;
        return Walk({&of(0), 1}, Symmetry::lockstep(instance_.ranks), instance_.placement,
                    &of(last));
    }

  private:
    const Algorithm& algorithm_;
    const Instance& instance_;
    std::map<std::int32_t, Program> made_;
};

struct CheapWalk {
    Walk walk;
    bool exact;
};

/// The walk of an instance, or of one that `is_smaller` than what was asked for, if there is one
/// that is cheap.
std::optional<CheapWalk> cheap_walk(const Algorithm& algorithm, const Instance& instance,
                                    bool is_smaller) {
    Programs programs(algorithm, instance);
    const auto program_of = [&](std::int32_t rank) -> const Program& { return programs.of(rank); };
    const std::size_t steps = programs.of(0).steps.size();
    if (steps > most_steps) return std::nullopt;
    // Rank 0 may do more than others (a leader), so the steps of all are counted, unless there is
    // no hope. A smaller instance is easily replaced by a still smaller one.
    const auto affordable = [&](std::int32_t ranks) {
        const std::size_t like_rank_0 = steps * static_cast<std::size_t>(ranks);
        if (like_rank_0 > (is_smaller ? most_steps : 2 * most_steps_of_several)) return false;
        std::size_t sum = 0;
        for (std::int32_t rank = 0; rank < ranks && sum <= most_steps_of_several; ++rank) {
            sum += programs.of(rank).steps.size();
        }
        return sum <= most_steps_of_several;
    };

    const Placement& placement = instance.placement;
    const std::int32_t per_node = placement.most_ranks_on_a_node();
    const bool uniform = placement.nodes() == 1 || per_node == 1;
    const Symmetry lockstep = Symmetry::lockstep(instance.ranks);
    if (uniform && has_symmetry(lockstep, program_of))
        return {{std::move(programs).walk(lockstep), true}};

    const Symmetry by_node{Symmetry::Kind::shift, instance.ranks, per_node};
    const bool in_blocks =
        placement.without_routes({}) == Placement::blocks(instance.ranks, per_node);
    if (!uniform && in_blocks && affordable(per_node) && has_symmetry(by_node, program_of)) {
        return {{std::move(programs).walk(by_node), true}};
    }
    if (affordable(instance.ranks)) {
        return {{std::move(programs).walk(Symmetry::none(instance.ranks)), true}};
    }
    if (!uniform && has_symmetry(lockstep, program_of)) return {{programs.walk_in_step(), false}};
    return std::nullopt;
}

/// Even blocks, on as many of the nodes of `placement` as it takes.
Placement blocks_of(const Placement& placement, std::int32_t ranks, std::int32_t per_node) {
    const Placement blocks = Placement::blocks(ranks, per_node);
    if (placement.routes() == nullptr) return blocks;
    std::vector<std::int32_t> nodes(blocks.nodes());
    for (std::int32_t node = 0; node < blocks.nodes(); ++node) {
        nodes[node] = node % placement.nodes();
    }
    return blocks.with_routes(placement.routes()->of(nodes));
}

/// An instance of the same shape with half the nodes, all full, or half the ranks on one. Nothing
/// if there is none in the domain.
std::optional<Instance> smaller(const Algorithm& algorithm, const Instance& instance) {
    const bool one_node = instance.placement.nodes() == 1;
    const std::int32_t per_node = one_node ? 1 : instance.placement.most_ranks_on_a_node();
    const std::int32_t units = (instance.ranks - 1) / per_node + 1;
    if (units < 3) return std::nullopt;
    Instance result = instance;
    result.root = 0;
    result.ranks = (units + 1) / 2 * per_node;
    result.placement =
        blocks_of(instance.placement, result.ranks, one_node ? result.ranks : per_node);
    if (!algorithm.outside_domain(result).empty()) return std::nullopt;
    return result;
}

}  // namespace

Predictor::Predictor(const Algorithm& algorithm, const Instance& instance)
    : ranks_(instance.ranks) {
    std::optional<Instance> next = instance;
    // At 100,000 ranks even one rank's program can be too long to be made for its length alone.
    while (next->ranks > few_ranks) {
        Instance few = *next;
        few.ranks = few_ranks;
        few.root = 0;
        few.placement = blocks_of(next->placement, few_ranks,
                                  std::min(few_ranks / 2, next->placement.most_ranks_on_a_node()));
        const std::size_t steps = algorithm.generate(0, few).steps.size();
        const auto times = static_cast<std::size_t>(next->ranks / few_ranks);
        if (steps * times <= most_steps) break;
        const std::optional<Instance> half = smaller(algorithm, *next);
        if (!half) break;
        next = half;
    }
    Instance smallest = *next;
    for (; next && samples_.size() < 2; next = smaller(algorithm, *next)) {
        smallest = *next;
        if (std::optional<CheapWalk> found = cheap_walk(algorithm, *next, next->ranks < ranks_)) {
            samples_.push_back({next->ranks, std::move(found->walk)});
            exact_ = found->exact && next->ranks == ranks_;
            if (next->ranks == ranks_) return;
        }
    }
    if (samples_.empty()) {
        // Ranks that have nothing in common (a root, a ring of long programs): the smallest
        // instance is walked as it is.
        Programs programs(algorithm, smallest);
        samples_.push_back(
            {smallest.ranks, std::move(programs).walk(Symmetry::none(smallest.ranks))});
        exact_ = smallest.ranks == ranks_;
    }
}

double Predictor::seconds(std::int64_t chunk_bytes, const MachineParameters& machine) const {
    const Sample& large = samples_.front();
    const double seconds = large.walk.seconds(chunk_bytes, machine);
    if (large.ranks == ranks_) return seconds;
    const double further = std::log2(static_cast<double>(ranks_) / large.ranks);
    if (samples_.size() == 2) {
        // What grows slower than the root of P is a tree: a line over the logarithm.
        const Sample& small = samples_[1];
        const double doublings = std::log2(static_cast<double>(large.ranks) / small.ranks);
        const double small_seconds = small.walk.seconds(chunk_bytes, machine);
        if (seconds < small_seconds * std::exp2(doublings / 2)) {
            return seconds + std::max(0.0, seconds - small_seconds) / doublings * further;
        }
    }
    // Time per peer, as a line over the logarithm of the number of ranks: right for what grows with
    // P and for what grows with P log P.
    const double per_peer = seconds / (large.ranks - 1);
    double slope = 0;
    if (samples_.size() == 2 && samples_[1].ranks > 1) {
        const Sample& small = samples_[1];
        slope = (per_peer - small.walk.seconds(chunk_bytes, machine) / (small.ranks - 1)) /
                std::log2(static_cast<double>(large.ranks) / small.ranks);
    }
    return (ranks_ - 1) * std::max(per_peer / 2, per_peer + slope * further);
}

}  // namespace tasuki

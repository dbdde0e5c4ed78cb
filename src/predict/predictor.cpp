#include "predict/predictor.hpp"

#include <bit>
#include <map>
#include <utility>
#include <vector>

namespace tasuki {

namespace {

/// Steps that a walk inside a run may have, which take about a millisecond.
constexpr std::int64_t most_steps = 8192;

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
    std::vector<Program> first(std::int32_t count) {
        std::vector<Program> programs;
        programs.reserve(static_cast<std::size_t>(count));
        for (std::int32_t rank = 0; rank < count; ++rank) programs.push_back(of(rank));
        return programs;
    }

  private:
    const Algorithm& algorithm_;
    const Instance& instance_;
    std::map<std::int32_t, Program> made_;
};

/// The largest instance not larger than this one that is likely to have a symmetry: nodes evenly
/// filled if there is more than one, else a power of two.
Instance evened(const Instance& instance) {
    const std::int32_t per_node = instance.placement.most_ranks_on_a_node();
    const std::int32_t whole_nodes = instance.ranks / per_node;
    Instance even = instance;
    even.ranks = whole_nodes * per_node;
    if (whole_nodes < 2 || Placement::blocks(even.ranks, per_node) == instance.placement) {
        even.ranks = static_cast<std::int32_t>(
            std::bit_floor(static_cast<std::uint32_t>(instance.ranks - 1)));
    }
    even.root = 0;
    even.placement = Placement::blocks(even.ranks, std::min(per_node, even.ranks));
    return even;
}

}  // namespace

Predictor::Predictor(const Algorithm& algorithm, const Instance& instance) {
    Programs programs(algorithm, instance);
    const auto program_of = [&](std::int32_t rank) -> const Program& { return programs.of(rank); };
    const auto steps = static_cast<std::int64_t>(programs.of(0).steps.size());

    Symmetry symmetry = find_symmetry(instance, true, program_of);
    if (steps * symmetry.representatives > most_steps && symmetry.representatives > 1) {
        exact_ = false;
        symmetry = find_symmetry(instance, false, program_of);
    }
    if (steps * symmetry.representatives > most_steps && symmetry.representatives > 1) {
        const Instance even = evened(instance);
        if (algorithm.outside_domain(even).empty()) {
            const Predictor smaller(algorithm, even);
            walk_ = std::make_unique<const Walk>(*smaller.walk_);
            scale_ = smaller.scale_ * instance.ranks / even.ranks;
            return;
        }
    }
    walk_ = std::make_unique<const Walk>(programs.first(symmetry.representatives), symmetry,
                                         instance.placement);
}

double Predictor::seconds(std::int64_t chunk_bytes, const MachineParameters& machine) const {
    return scale_ * walk_->seconds(chunk_bytes, machine);
}

}  // namespace tasuki

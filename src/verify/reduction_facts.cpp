#include "verify/reduction_facts.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "contract/contract.hpp"
#include "verify/trees.hpp"

namespace tasuki {

namespace {

constexpr std::int32_t numbers_of_ranks[] = {2,  3,  4,  5,  6,  7,  8,  9,
                                             10, 11, 12, 13, 14, 15, 16, 17};

/// The trees of one instance.
struct Evaluated {
    using Result = std::pair<std::int32_t, std::int32_t>;  // number of operands, chunk

    std::map<Result, Trees::Tree> by_result;
    std::map<std::int32_t, Trees::Tree> by_operands;  // of the first chunk
    bool same_for_all_chunks = true;

    /// A vector may be cut into other chunks, as long as all have one tree.
    bool operator==(const Evaluated& other) const {
        if (same_for_all_chunks && other.same_for_all_chunks) {
            return by_operands == other.by_operands;
        }
        return by_result == other.by_result;
    }
};

/// Looks at the instances of one row and number of ranks.
class Examination {
  public:
    Examination(const Algorithm& row, Trees& trees, ReductionFacts& facts)
        : row_(row), trees_(trees), facts_(facts), contract_(contract_of(row.collective)) {}

    Evaluated evaluate(const Instance& instance) {
        const Schedule schedule = row_.schedule(instance);
        const SymbolicRun run(schedule);
        Evaluated evaluated;
        for (std::int32_t rank = 0; rank < instance.ranks; ++rank) {
            const Program& program = schedule.programs[rank];
            for (std::int32_t chunk = 0; chunk < program.output_chunks; ++chunk) {
                const auto operands = contract_->expected(program, rank, chunk, instance);
                note(static_cast<std::uint32_t>(instance.ranks), trees_.of(run, rank, chunk),
                     {static_cast<std::int32_t>(operands.size()), operands.front().chunk},
                     evaluated);
            }
        }
        if (!evaluated.same_for_all_chunks) facts_.same_for_all_chunks = false;
        return evaluated;
    }

  private:
    void note(std::uint32_t ranks, Trees::Tree tree, const Evaluated::Result& result,
              Evaluated& evaluated) {
        if (!trees_.keeps_order(tree)) facts_.keeps_rank_order = false;
        if (tree != trees_.canonical(result.first)) {
            facts_.canonical = false;
            if (std::has_single_bit(ranks)) facts_.canonical_for_powers_of_two = false;
        }
        if (evaluated.by_result.try_emplace(result, tree).first->second != tree) {
            facts_.same_on_all_ranks = false;
        }
        if (evaluated.by_operands.try_emplace(result.first, tree).first->second != tree) {
            evaluated.same_for_all_chunks = false;
        }
    }

    const Algorithm& row_;
    Trees& trees_;
    ReductionFacts& facts_;
    std::unique_ptr<Contract> contract_;
};

/// Nodes of 2, 3 and 4 ranks, one rank a node, round robin, and no pattern.
std::vector<Placement> placements(std::int32_t ranks) {
    std::vector<Placement> list = {Placement::one_node(ranks)};
    for (const std::int32_t per_node : {2, 3, 4, 1}) {
        list.push_back(Placement::blocks(ranks, per_node));
    }
    std::vector<std::int32_t> in_turn(ranks);
    std::vector<std::int32_t> mixed(ranks);
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        in_turn[rank] = rank % 2;
        mixed[rank] = (rank * rank + rank / 3) % 4;
    }
    list.push_back(Placement::from_nodes(in_turn));
    list.push_back(Placement::from_nodes(mixed));
    return list;
}

/// The instances in the domain that differ from `base` in what `vary` does to it.
template <typename Vary, typename Values>
bool all_equal(const Algorithm& row, Examination& examination, const Instance& base,
               const Values& values, Vary vary) {
    const Evaluated first = examination.evaluate(base);
    bool equal = true;
    for (const auto& value : values) {
        Instance instance = base;
        vary(instance, value);
        if (!row.outside_domain(instance).empty()) continue;
        equal = examination.evaluate(instance) == first && equal;
    }
    return equal;
}

void examine(const Algorithm& row, std::int32_t ranks, Trees& trees, ReductionFacts& facts) {
    Examination examination(row, trees, facts);
    Instance base{.ranks = ranks,
                  .root = 0,
                  .parameters = row.default_parameters(),
                  .placement = Placement::one_node(ranks)};
    const std::vector<Placement> all = placements(ranks);
    const auto in_domain = std::find_if(all.begin(), all.end(), [&](const Placement& placement) {
        base.placement = placement;
        return row.outside_domain(base).empty();
    });
    if (in_domain == all.end()) return;
    facts.same_for_all_placements &= all_equal(
        row, examination, base, all,
        [](Instance& instance, const Placement& placement) { instance.placement = placement; });
    facts.same_for_all_roots &=
        all_equal(row, examination, base, std::vector{1, ranks / 2, ranks - 1},
                  [](Instance& instance, std::int32_t root) { instance.root = root; });
    for (const ParameterInfo& parameter : row.parameters) {
        const std::vector<std::int64_t> values = {
            parameter.minimum, std::min(parameter.minimum + 1, parameter.maximum),
            std::min(parameter.minimum + 3, parameter.maximum),
            std::min<std::int64_t>(ranks, parameter.maximum)};
        facts.same_for_all_parameters &=
            all_equal(row, examination, base, values, [&](Instance& instance, std::int64_t value) {
                instance.parameters.set(parameter.name, value);
            });
    }
}

}  // namespace

ReductionFacts reduction_facts(const Algorithm& row, std::span<const std::int32_t> ranks) {
    ReductionFacts facts{&row};
    Trees trees;
    for (const std::int32_t number : ranks) examine(row, number, trees, facts);
    return facts;
}

std::vector<ReductionFacts> all_reduction_facts() {
    std::vector<ReductionFacts> list;
    for (const Algorithm& row : all_algorithms()) {
        if (contract_of(row.collective)->reduces())
            list.push_back(reduction_facts(row, numbers_of_ranks));
    }
    return list;
}

}  // namespace tasuki

// Candidates: rows with the parameters that are tried, and those made of several rows.
#include <algorithm>
#include <gtest/gtest.h>

#include "predict/kept_parameters.hpp"
#include "select/candidates.hpp"

namespace tasuki {
namespace {

TEST(Candidates, OfSeveralRowsArePredictedAsTheSumOfThem) {
    const Algorithm* const exchange = find_algorithm("alltoallv", "spread");
    const Algorithm* const gather = find_algorithm("allgather", "recursive-doubling");
    std::vector<CompositeRow> rows(2);
    rows[0].row.collective = rows[1].row.collective = "allreduce";
    rows[0].row.name = "by-blocks";
    rows[0].parts = {{exchange, true}, {gather, true}};
    rows[1].row.name = "whole";
    rows[1].parts = {{gather, false}};
    const Instance instance{4, 0, {}, Placement::one_node(4)};
    const auto any = [](const Algorithm&) { return true; };
    const CandidateSet set(rows, "allreduce", instance, true, any);
    ASSERT_EQ(set.choices().size(), 5U);
    EXPECT_EQ(set.choices()[1].text(), "by-blocks");
    EXPECT_EQ(set.choices()[4].text(), "whole:carrier=memory");

    const MachineParameters& machine = built_in_parameters("", false);
    const auto predicted = [&](const Algorithm& row) {
        Instance with_defaults = instance;
        with_defaults.parameters = row.default_parameters();
        return Predictor(row, with_defaults).seconds(256, machine);
    };
    EXPECT_DOUBLE_EQ(set.seconds(1, 1024, machine), predicted(*exchange) + predicted(*gather));
    EXPECT_LT(set.seconds(1, 1024, machine), set.seconds(2, 1 << 20, machine));
    EXPECT_EQ(CandidateSet(rows, "scan", instance, true, any).choices().size(), 1U);
}

/// How often `wanted` is among the candidates of a barrier on so many ranks.
std::ptrdiff_t times_among_barriers(std::string_view wanted, std::int32_t ranks) {
    const CandidateSet set("barrier", {ranks, 0, {}, Placement::one_node(ranks)});
    return std::count_if(set.choices().begin(), set.choices().end(),
                         [&](const Choice& choice) { return choice.text() == wanted; });
}

TEST(Candidates, HaveTheParametersThatAreTried) {
    EXPECT_EQ(times_among_barriers("dissemination:radix=2", 8), 1);
    EXPECT_EQ(times_among_barriers("dissemination:radix=4", 8), 1);
    EXPECT_EQ(times_among_barriers("dissemination:radix=8", 8), 1);
    EXPECT_EQ(times_among_barriers("dissemination:radix=100", 100), 1);
}

/// What is predicted of a candidate, on the machine of `placement` that is built in.
double predicted(std::string_view collective, std::string_view wanted, const Placement& placement,
                 std::int64_t bytes) {
    const CandidateSet set(collective, {placement.ranks(), 0, {}, placement});
    for (std::size_t i = 1; i < set.choices().size(); ++i) {
        if (set.choices()[i].text() == wanted)
            return set.seconds(i, bytes, built_in_parameters("", false));
    }
    ADD_FAILURE() << wanted << " is no candidate";
    return unknown;
}

// A value is worth its time in learning where it is the better one for some sizes only.
TEST(Candidates, WithOtherParametersAreBetterForSomeSizes) {
    const Placement nodes = Placement::blocks(128, 4);
    const auto with = [&](std::string_view collective, std::string_view wanted,
                          std::int64_t bytes) {
        return predicted(collective, wanted, nodes, bytes);
    };
    const std::int64_t short_blocks = std::int64_t{64} * 128;
    EXPECT_LT(with("alltoallv", "bruck:radix=8", short_blocks),
              with("alltoallv", "bruck:radix=2", short_blocks));
    EXPECT_LT(with("allreduce", "node-aware:leaders=4", 4096),
              with("allreduce", "node-aware:leaders=1", 4096));
    EXPECT_LT(with("allreduce", "node-aware:leaders=1", 8),
              with("allreduce", "node-aware:leaders=4", 8));
}

TEST(Candidates, ThatMakeTheSameProgramsAreThereOnce) {
    EXPECT_EQ(times_among_barriers("dissemination:radix=4", 4), 1);
    EXPECT_EQ(times_among_barriers("dissemination:radix=4", 3), 1);
    EXPECT_EQ(times_among_barriers("dissemination:radix=3", 3), 0);
    EXPECT_EQ(times_among_barriers("dissemination:radix=2", 2), 1);
    EXPECT_EQ(times_among_barriers("dissemination:radix=4", 2), 0);
}

TEST(Candidates, OfOneRoundArePredictedAsPostsWhereMemoryCarriesThem) {
    const MachineParameters machine = with_memory_inside(built_in_parameters("", true), true);
    const auto seconds = [&](std::string_view wanted, const Placement& placement,
                             std::int64_t bytes) {
        const CandidateSet set("bcast", {8, 0, {}, placement}, true);
        for (std::size_t i = 1; i < set.choices().size(); ++i) {
            if (set.choices()[i].text() == wanted) return set.seconds(i, bytes, machine);
        }
        return unknown;
    };
    const std::string_view flat = "knomial:radix=8,carrier=memory";
    const Placement one = Placement::one_node(8);
    EXPECT_LT(seconds(flat, one, 32768), 0.5 * seconds("knomial:radix=8", one, 32768));
    EXPECT_DOUBLE_EQ(seconds(flat, one, 1 << 20), seconds("knomial:radix=8", one, 1 << 20));
}

}  // namespace
}  // namespace tasuki

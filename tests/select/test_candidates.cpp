// Candidates that are made of several rows.
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

}  // namespace
}  // namespace tasuki

#include <gtest/gtest.h>
#include <stdexcept>

#include "contract/contract.hpp"
#include "schedule/builder.hpp"

namespace tasuki {
namespace {

TEST(AllToAll, TransposesChunks) {
    const auto contract = contract_of("alltoall");
    EXPECT_EQ(contract->collective(), "alltoall");
    const Program program = ProgramBuilder(4, 4).finish();
    EXPECT_EQ(contract->expected(program, 1, 3, {.ranks = 4}),
              (std::vector<Origin>{{.rank = 3, .chunk = 1}}));
}

TEST(AllToAll, HasAChunkForEachRank) {
    const auto contract = contract_of("alltoall");
    const Instance instance{.ranks = 4};
    EXPECT_EQ(contract->check_shape(ProgramBuilder(4, 4).finish(), 0, instance), "");
    const std::string expected =
        "all-to-all has one input and one output chunk for each of the 4 ranks";
    EXPECT_EQ(contract->check_shape(ProgramBuilder(3, 4).finish(), 0, instance), expected);
    EXPECT_EQ(contract->check_shape(ProgramBuilder(4, 5).finish(), 0, instance), expected);
}

TEST(Contract, OfAnUnknownCollectiveTellsTheKnownOnes) {
    try {
        contract_of("alltonone");
        FAIL() << "there is no such collective";
    } catch (const std::invalid_argument& error) {
        EXPECT_STREQ(error.what(), "no contract for \"alltonone\"; there is one for alltoall");
    }
}

}  // namespace
}  // namespace tasuki

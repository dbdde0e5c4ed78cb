#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <vector>

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

/// What a rank of four must hold, rank 1 being the root.
struct Case {
    std::string_view collective;
    std::int32_t rank;
    std::int32_t input_chunks;
    std::int32_t output_chunks;
    std::int32_t chunk;
    std::vector<Origin> expected;
    std::int64_t input_size;   // of input chunk 0
    std::int64_t output_size;  // of `chunk`
};

const std::vector<Case>& cases() {
    static const std::vector<Case> list = {
        {"bcast", 1, 3, 0, 0, {}, 0, 0},
        {"bcast", 2, 0, 3, 2, {{1, 2}}, 0, 2},
        {"reduce", 1, 2, 2, 1, {{0, 1}, {1, 1}, {2, 1}, {3, 1}}, 0, 1},
        {"reduce", 3, 2, 0, 0, {}, 0, 0},
        {"allreduce", 3, 2, 2, 0, {{0, 0}, {1, 0}, {2, 0}, {3, 0}}, 0, 0},
        {"reduce-scatter", 2, 4, 1, 0, {{0, 2}, {1, 2}, {2, 2}, {3, 2}}, 0, 2},
        {"scan", 2, 2, 2, 1, {{0, 1}, {1, 1}, {2, 1}}, 0, 1},
        {"scan", 0, 2, 2, 1, {{0, 1}}, 0, 1},
        {"exscan", 2, 2, 2, 1, {{0, 1}, {1, 1}}, 0, 1},
        {"exscan", 0, 2, 0, 0, {}, 0, 0},
        {"gather", 1, 1, 4, 3, {{3, 0}}, 1, 3},
        {"gather", 0, 1, 0, 0, {}, 0, 0},
        {"scatter", 1, 4, 1, 0, {{1, 1}}, 0, 1},
        {"scatter", 3, 0, 1, 0, {{1, 3}}, 0, 3},
        {"allgather", 2, 1, 4, 3, {{3, 0}}, 2, 3},
        {"alltoallv", 2, 4, 4, 3, {{3, 2}}, 8, 14},
        {"barrier", 2, 0, 0, 0, {}, 0, 0},
    };
    return list;
}

/// The same of programs with tails, whose chunks are the second half.
const std::vector<Case>& cases_of_tails() {
    static const std::vector<Case> list = {
        {"gather", 1, 2, 8, 3, {{3, 0}}, 1, 3},     {"gather", 1, 2, 8, 7, {{3, 1}}, 1, 7},
        {"gather", 2, 2, 0, 0, {}, 2, 0},           {"scatter", 1, 8, 2, 1, {{1, 5}}, 0, 5},
        {"scatter", 3, 0, 2, 1, {{1, 7}}, 0, 7},    {"alltoallv", 2, 8, 8, 3, {{3, 2}}, 8, 14},
        {"alltoallv", 2, 8, 8, 7, {{3, 6}}, 8, 30},
    };
    return list;
}

void expect_chunks(const std::vector<Case>& cases, bool with_tails) {
    const Instance instance{.ranks = 4, .root = 1};
    for (const Case& here : cases) {
        SCOPED_TRACE(std::string(here.collective) + " rank " + std::to_string(here.rank));
        const auto contract = contract_of(here.collective);
        EXPECT_EQ(contract->collective(), here.collective);
        ProgramBuilder builder(here.input_chunks, here.output_chunks);
        if (with_tails) {
            builder.split_blocks();
            EXPECT_TRUE(contract->may_have_tails());
        }
        const Program program = builder.finish();
        EXPECT_EQ(contract->check_shape(program, here.rank, instance), "");
        if (here.input_chunks > 0) {
            EXPECT_EQ(contract->size_of(Space::input, here.rank, 0, instance), here.input_size);
        }
        if (here.output_chunks == 0) continue;
        EXPECT_EQ(contract->expected(program, here.rank, here.chunk, instance), here.expected);
        EXPECT_EQ(contract->size_of(Space::output, here.rank, here.chunk, instance),
                  here.output_size);
    }
}

TEST(Contracts, SayWhatEveryChunkIsMadeOf) {
    expect_chunks(cases(), false);
    expect_chunks(cases_of_tails(), true);
}

TEST(Contracts, RefuseAnotherNumberOfChunks) {
    const Instance instance{.ranks = 4, .root = 1};
    for (const Case& here : cases()) {
        const auto contract = contract_of(here.collective);
        for (const std::int32_t more : {6, 17}) {
            const Program program =
                ProgramBuilder(here.input_chunks + 5, here.output_chunks + more).finish();
            EXPECT_NE(contract->check_shape(program, here.rank, instance), "") << here.collective;
        }
    }
}

TEST(Contracts, SayWhatIsSpecialOfACollective) {
    for (const char* rooted : {"bcast", "reduce", "gather", "scatter"}) {
        EXPECT_TRUE(contract_of(rooted)->has_root()) << rooted;
    }
    for (const char* reducing : {"reduce", "allreduce", "reduce-scatter", "scan", "exscan"}) {
        EXPECT_TRUE(contract_of(reducing)->reduces()) << reducing;
    }
    EXPECT_FALSE(contract_of("allgather")->has_root());
    EXPECT_FALSE(contract_of("alltoall")->reduces());
    EXPECT_TRUE(contract_of("barrier")->synchronises());
    EXPECT_FALSE(contract_of("allreduce")->synchronises());
}

TEST(Contract, OfAnUnknownCollectiveTellsTheKnownOnes) {
    try {
        contract_of("alltonone");
        FAIL() << "there is no such collective";
    } catch (const std::invalid_argument& error) {
        const std::string said = error.what();
        EXPECT_EQ(said.find("no contract for \"alltonone\"; there is one for barrier, bcast"), 0U);
    }
}

}  // namespace
}  // namespace tasuki

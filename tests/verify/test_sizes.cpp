// Chunks of unequal size, and what all ranks must cut alike.
#include <gtest/gtest.h>

#include "contract/contract.hpp"
#include "schedule/builder.hpp"
#include "verify/two_ranks.hpp"

namespace tasuki {
namespace {

Schedule allgather(Program rank_0, Program rank_1) {
    Schedule schedule = two_ranks(std::move(rank_0), std::move(rank_1));
    schedule.collective = "allgather";
    return schedule;
}

/// An all-gather of two ranks that receives by way of a scratch chunk of the given size.
Program by_scratch(std::int32_t rank, std::int32_t size) {
    const std::int32_t other = 1 - rank;
    ProgramBuilder program(1, 2);
    const std::int32_t kept = program.reserve_scratch(1, size);
    program.send(other, input(0));
    const StepId received = program.recv(other, scratch(kept));
    program.copy(scratch(kept), output(other), {received});
    program.copy(input(0), output(rank));
    return program.finish();
}

TEST(Sizes, OfTheTwoEndsOfAMessageAreEqual) {
    const auto contract = contract_of("allgather");
    const Verdict right = verify(allgather(by_scratch(0, 1), by_scratch(1, 0)), *contract);
    EXPECT_TRUE(right.holds()) << right.text();
    const Verdict wrong = verify(allgather(by_scratch(0, 0), by_scratch(1, 0)), *contract);
    expect_finding(wrong, 1, 0, 0, "brings input chunk 0 of size 1 to scratch chunk 0 of size 0");
    expect_finding(wrong, 0, 2, 0, "brings scratch chunk 0 of size 0 to output chunk 1 of size 1");
}

/// A broadcast of two ranks of so many chunks, which are received where any fits. With `is_padded`
/// they are sent from there too.
Verdict where_any_fits(std::int32_t chunks, bool is_padded) {
    ProgramBuilder receiver(0, chunks);
    const std::int32_t kept = receiver.reserve_scratch(chunks);
    const StepId received = receiver.recv(0, scratch(kept, chunks));
    receiver.copy(scratch(kept, chunks), output(0, chunks), {received});
    ProgramBuilder root(chunks, 0);
    if (is_padded) {
        const std::int32_t padded = root.reserve_scratch(chunks);
        const StepId copied = root.copy(input(0, chunks), scratch(padded, chunks));
        root.send(1, scratch(padded, chunks), {copied});
    } else {
        root.send(1, input(0, chunks));
    }
    return verify(Schedule{"bcast", "test", {.ranks = 2}, {root.finish(), receiver.finish()}},
                  *contract_of("bcast"));
}

TEST(Sizes, WhereAnyFitsComesWhatIsPadded) {
    for (const std::int32_t chunks : {1, 2}) {
        EXPECT_TRUE(where_any_fits(chunks, true).holds());
        // Its receiver would not know that there is nothing to wait for.
        expect_finding(where_any_fits(chunks, false), 0, 0, 0,
                       "brings input chunk 0 of size 0 to scratch chunk 0 of any");
    }
}

TEST(Tails, AreOfCollectivesOfBlocks) {
    const auto alone = [](std::string_view collective) {
        ProgramBuilder program(2, 2);
        program.split_blocks();
        program.copy(input(0, 2), output(0, 2));
        return verify(Schedule{std::string(collective), "test", {.ranks = 1}, {program.finish()}},
                      *contract_of(collective));
    };
    EXPECT_TRUE(alone("gather").holds());
    EXPECT_TRUE(alone("alltoallv").holds());
    expect_finding(alone("allreduce"), 0, std::nullopt, std::nullopt, "rank 0 has tails");
}

TEST(Tails, AreNotTakenForHeads) {
    ProgramBuilder root(2, 4);
    ProgramBuilder other(2, 0);
    root.split_blocks();
    other.split_blocks();
    root.copy(input(0), output(0));
    root.copy(input(1), output(2));
    root.recv(1, output(3));
    root.recv(1, output(1));
    other.send(0, input(0));
    other.send(0, input(1));
    const Verdict verdict =
        verify(Schedule{"gather", "test", {.ranks = 2}, {root.finish(), other.finish()}},
               *contract_of("gather"));
    expect_finding(verdict, 1, 0, 0, "brings input chunk 0 of size 1 to output chunk 3 of size 3");
}

TEST(Sizes, AllRanksCutAlike) {
    ProgramBuilder root(2, 0);
    root.send(1, input(0));
    ProgramBuilder other(0, 1);
    other.recv(0, output(0));
    const Verdict verdict =
        verify(Schedule{"bcast", "test", {.ranks = 2}, {root.finish(), other.finish()}},
               *contract_of("bcast"));
    expect_finding(verdict, 1, std::nullopt, std::nullopt,
                   "rank 1 cuts its data into 1 chunks, and rank 0 into 2");
}

TEST(Barrier, HearsOfEveryRank) {
    const auto chain = [](bool back) {
        ProgramBuilder first(0, 0);
        ProgramBuilder second(0, 0);
        first.send(1, nothing());
        const StepId heard = second.recv(0, nothing());
        if (back) {
            second.send(0, nothing(), {heard});
            first.recv(1, nothing());
        }
        return Schedule{"barrier", "test", {.ranks = 2}, {first.finish(), second.finish()}};
    };
    const auto contract = contract_of("barrier");
    EXPECT_TRUE(verify(chain(true), *contract).holds());
    expect_finding(verify(chain(false), *contract), 0, std::nullopt, std::nullopt,
                   "rank 0 may end before rank 1 has begun");
}

}  // namespace
}  // namespace tasuki

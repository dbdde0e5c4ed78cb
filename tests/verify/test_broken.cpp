// Schedules with one fault each: every fault is found and told with rank, step and chunk.
#include <gtest/gtest.h>

#include "verify/two_ranks.hpp"

namespace tasuki {
namespace {

Verdict verify_rank_0(ProgramBuilder& program) {
    return verify_alltoall(two_ranks(program.finish(), exchange(1)));
}

TEST(Broken, WrongChunkIsSent) {
    ProgramBuilder program = two_ranks_program();
    program.recv(1, output(1));
    program.send(1, input(0));
    program.copy(input(0), output(0));
    expect_finding(verify_rank_0(program), 1, 0, 0,
                   "holds input chunk 0 of rank 0; expected input chunk 1 of rank 0");
}

TEST(Broken, ChunkIsReceivedInTheWrongPlace) {
    ProgramBuilder program = two_ranks_program();
    program.recv(1, output(0));
    program.send(1, input(1));
    program.copy(input(0), output(1));
    const Verdict verdict = verify_rank_0(program);
    expect_finding(verdict, 0, 0, 0, "holds input chunk 0 of rank 1");
    expect_finding(verdict, 0, 2, 1, "holds input chunk 0 of rank 0");
}

TEST(Broken, RecvIsMissing) {
    ProgramBuilder program = two_ranks_program();
    program.send(1, input(1));
    program.copy(input(0), output(0));
    expect_finding(verify_rank_0(program), 1, 1, 0, "meets no recv of rank 0");
}

TEST(Broken, SendIsMissing) {
    ProgramBuilder program = two_ranks_program();
    program.recv(1, output(1));
    program.copy(input(0), output(0));
    expect_finding(verify_rank_0(program), 1, 0, 0, "meets no send of rank 0");
}

TEST(Broken, MessageIsSentTwice) {
    ProgramBuilder program = two_ranks_program();
    program.recv(1, output(1));
    program.send(1, input(1));
    program.send(1, input(1));
    program.copy(input(0), output(0));
    expect_finding(verify_rank_0(program), 0, 2, 1, "message 1");
}

TEST(Broken, MessagesHaveDifferentSizes) {
    ProgramBuilder program = two_ranks_program();
    program.recv(1, output(1));
    program.send(1, input(0, 2));
    program.copy(input(0), output(0));
    expect_finding(verify_rank_0(program), 0, 1, 0, "of 2 chunks");
}

TEST(Broken, OutputIsNotWritten) {
    ProgramBuilder program = two_ranks_program();
    program.recv(1, output(1));
    program.send(1, input(1));
    expect_finding(verify_rank_0(program), 0, {}, 0, "is never written");
}

TEST(Broken, SendsThatWaitForEachOther) {
    // Harmless where small messages are buffered, for ever with rendezvous.
    const auto send_first = [](std::int32_t rank) {
        ProgramBuilder program = two_ranks_program();
        const StepId sent = program.send(1 - rank, input(1 - rank));
        program.recv(1 - rank, output(1 - rank), {sent});
        program.copy(input(rank), output(rank));
        return program.finish();
    };
    const Verdict verdict = verify_alltoall(two_ranks(send_first(0), send_first(1)));
    ASSERT_EQ(verdict.findings.size(), 2U);
    expect_finding(verdict, 0, 0, 1,
                   "it waits for rank 1 step 1 (recv from 0 message 0 output[0:1]), which cannot "
                   "start because of step 0");
    expect_finding(verdict, 1, 0, 0, "it waits for rank 0 step 1");
}

TEST(Broken, CycleOverThreeRanks) {
    std::vector<Program> programs;
    for (std::int32_t rank = 0; rank < 3; ++rank) {
        const std::int32_t next = (rank + 1) % 3;
        const std::int32_t previous = (rank + 2) % 3;
        ProgramBuilder program(3, 3);
        const StepId sent = program.send(next, input(next));
        const StepId arrived = program.recv(previous, output(previous), {sent});
        program.send(previous, input(previous), {arrived});
        program.recv(next, output(next), {arrived});
        program.copy(input(rank), output(rank));
        programs.push_back(program.finish());
    }
    const Verdict verdict = verify_alltoall({"alltoall", "test", {.ranks = 3}, programs});
    ASSERT_EQ(verdict.findings.size(), 3U);
    for (std::int32_t rank = 0; rank < 3; ++rank) {
        expect_finding(verdict, rank, 0, (rank + 1) % 3, "never completes: it waits for rank ");
    }
}

TEST(Broken, ReadUnorderedWithAWrite) {
    ProgramBuilder program = two_ranks_program();
    const std::int32_t space = program.reserve_scratch(1);
    program.recv(1, scratch(space));
    program.copy(scratch(space), output(1));
    program.send(1, input(1));
    program.copy(input(0), output(0));
    expect_finding(verify_rank_0(program), 0, 1, 0,
                   "reads scratch chunk 0 but need not come after rank 0 step 0");
}

TEST(Broken, TwoUnorderedWrites) {
    ProgramBuilder program = two_ranks_program();
    program.recv(1, output(1));
    program.send(1, input(1));
    program.copy(input(0, 2), output(0, 2));
    expect_finding(verify_rank_0(program), 0, 2, 1,
                   "writes output chunk 1 but need not come after rank 0 step 0");
}

TEST(Broken, RecvIntoARegionThatIsStillBeingSent) {
    ProgramBuilder program = two_ranks_program();
    const StepId filled = program.copy(input(1), output(1));
    program.send(1, output(1), {filled});
    program.recv(1, output(1), {filled});
    program.copy(input(0), output(0));
    expect_finding(verify_rank_0(program), 0, 2, 1,
                   "writes output chunk 1 but need not come after rank 0 step 1 (send");
}

TEST(Broken, OrderThatHoldsOnlyOneOfTwoReaders) {
    ProgramBuilder program = two_ranks_program();
    const StepId filled = program.copy(input(1), output(1));
    program.send(1, output(1), {filled});
    const StepId moved = program.copy(output(1), output(0), {filled});
    program.recv(1, output(1), {moved});
    program.copy(input(0), output(0), {moved});
    const Verdict verdict = verify_rank_0(program);
    expect_finding(verdict, 0, 3, 1, "need not come after rank 0 step 1");
}

TEST(Broken, HazardAcrossMoreThan64Steps) {
    ProgramBuilder program = two_ranks_program();
    program.recv(1, output(1));
    StepId last = program.send(1, input(1));
    for (int i = 0; i < 200; ++i) last = program.copy(nothing(), nothing(), {last});
    program.copy(input(0, 2), output(0, 2), {last});
    expect_finding(verify_rank_0(program), 0, 202, 1, "need not come after rank 0 step 0");
}

TEST(Broken, CopyOntoItself) {
    ProgramBuilder program = two_ranks_program();
    program.recv(1, output(1));
    program.send(1, input(1));
    const StepId copied = program.copy(input(0), output(0));
    program.copy(output(0), output(0), {copied});
    expect_finding(verify_rank_0(program), 0, 3, 0, "touches output chunk 0 twice");
}

TEST(Broken, RegionThatWritesAChunkTwice) {
    ProgramBuilder program = two_ranks_program();
    program.recv(1, output(1));
    program.send(1, input(1));
    program.copy(input(0, 2), strided(Space::output, 0, 2, 1, 0));
    expect_finding(verify_rank_0(program), 0, 2, 0, "touches output chunk 0 twice");
}

TEST(Broken, ScratchIsReadBeforeItIsWritten) {
    ProgramBuilder program = two_ranks_program();
    const std::int32_t space = program.reserve_scratch(2);
    program.recv(1, output(1));
    program.send(1, scratch(space + 1));
    program.copy(input(0), output(0));
    const Verdict verdict = verify_rank_0(program);
    ASSERT_EQ(verdict.findings.size(), 1U) << verdict.text();
    expect_finding(verdict, 0, 1, 1, "reads scratch chunk 1 before anything is written there");
}

TEST(Broken, OutputIsReadBeforeItIsWritten) {
    ProgramBuilder program = two_ranks_program();
    program.recv(1, output(1));
    program.send(1, input(1));
    const StepId read = program.copy(output(0), scratch(program.reserve_scratch(1)));
    program.copy(input(0), output(0), {read});
    expect_finding(verify_rank_0(program), 0, 2, 0,
                   "reads output chunk 0 before anything is written there");
}

TEST(Broken, ReductionIntoNothing) {
    ProgramBuilder program = two_ranks_program();
    program.recv(1, output(1));
    program.send(1, input(1));
    program.reduce(input(0), Operand::left, output(0));
    expect_finding(verify_rank_0(program), 0, 2, 0,
                   "reduces into output chunk 0 before anything is written there");
}

TEST(Broken, ReductionWhereDataShouldMove) {
    ProgramBuilder program = two_ranks_program();
    const StepId arrived = program.recv(1, output(1));
    program.reduce(input(0), Operand::left, output(1), {arrived});
    program.send(1, input(1));
    program.copy(input(0), output(0));
    expect_finding(verify_rank_0(program), 0, 1, 1,
                   "holds (0.0 + 1.0); expected input chunk 0 of rank 1");
}

TEST(Broken, WrongShape) {
    ProgramBuilder program(2, 3);
    const Verdict verdict = verify_rank_0(program);
    expect_finding(verdict, 0, {}, {}, "rank 0 has 2 input and 3 output chunks; all-to-all has");
}

TEST(Broken, ProgramsAreMissing) {
    Schedule schedule = two_ranks(exchange(0), exchange(1));
    schedule.programs.pop_back();
    EXPECT_NE(verify_alltoall(schedule).text().find("the programs of 1 ranks, and there are 2"),
              std::string::npos);
}

// What no ProgramBuilder makes, but a program written by hand may hold.
TEST(Broken, PeerThatDoesNotExist) {
    Schedule schedule = two_ranks(exchange(0), exchange(1));
    schedule.programs[0].steps[1].peer = 2;
    expect_finding(verify_alltoall(schedule), 0, 1, {}, "names a rank that does not exist");
}

TEST(Broken, ChunkThatDoesNotExist) {
    Schedule schedule = two_ranks(exchange(0), exchange(1));
    schedule.programs[1].steps[2].to = output(2);
    expect_finding(verify_alltoall(schedule), 1, 2, 2, "names output chunk 2, there are 2");
}

TEST(Broken, StepAfterALaterOne) {
    Schedule schedule = two_ranks(exchange(0), exchange(1));
    schedule.programs[0].after_steps = {2};
    schedule.programs[0].steps[1].after_count = 1;
    expect_finding(verify_alltoall(schedule), 0, 1, {}, "must come after step 2");
}

TEST(Broken, InputIsWritten) {
    Schedule schedule = two_ranks(exchange(0), exchange(1));
    schedule.programs[0].steps[0].to = input(1);
    expect_finding(verify_alltoall(schedule), 0, 0, 1, "the input is read only");
}

TEST(Broken, MessageWithGaps) {
    Schedule schedule = two_ranks(exchange(0), exchange(1));
    schedule.programs[0].steps[1].from = strided(Space::input, 0, 2, 1, 1);
    expect_finding(verify_alltoall(schedule), 0, 1, 0, "not contiguous");
}

TEST(Broken, TwoMessagesOfOneNumber) {
    Schedule schedule = two_ranks(exchange(0), exchange(1));
    schedule.programs[0].steps.push_back(schedule.programs[0].steps[1]);
    expect_finding(verify_alltoall(schedule), 0, 3, 1, "meets no recv");
}

}  // namespace
}  // namespace tasuki

#include <gtest/gtest.h>
#include <stdexcept>

#include "predict/machines.hpp"
#include "predict/walk.hpp"
#include "schedule/builder.hpp"

namespace tasuki {
namespace {

constexpr std::int64_t bytes = 1000;

Schedule schedule_of(std::vector<Program> programs) {
    const auto ranks = static_cast<std::int32_t>(programs.size());
    return {"test", "test", {ranks, 0, {}, Placement::one_node(ranks)}, std::move(programs)};
}

TEST(Walk, OneMessageTakesLatencyAndGap) {
    ProgramBuilder sender(1, 1);
    sender.send(1, input(0));
    ProgramBuilder receiver(1, 1);
    receiver.recv(0, output(0));
    const MachineParameters machine = uniform_machine();
    EXPECT_DOUBLE_EQ(
        walk_seconds(schedule_of({sender.finish(), receiver.finish()}), bytes, machine),
        machine.on_node.latency + machine.on_node.gap(bytes));
}

TEST(Walk, TailsAreEmpty) {
    const auto seconds = [](bool with_tail) {
        ProgramBuilder sender(2, 0);
        ProgramBuilder receiver(0, 2);
        for (ProgramBuilder* program : {&sender, &receiver}) program->split_blocks();
        sender.send(1, input(0));
        receiver.recv(0, output(0));
        if (with_tail) {
            sender.send(1, input(1));
            receiver.recv(0, output(1));
        }
        return walk_seconds(schedule_of({sender.finish(), receiver.finish()}), bytes,
                            uniform_machine());
    };
    EXPECT_NEAR(seconds(true), seconds(false), 2 * uniform_machine().copy(0));
}

TEST(Walk, MessagesLeaveAndArriveAGapApart) {
    constexpr int messages = 5;
    ProgramBuilder sender(messages, 0);
    ProgramBuilder receiver(0, messages);
    for (int i = 0; i < messages; ++i) {
        sender.send(1, input(i));
        receiver.recv(0, output(i));
    }
    const MachineParameters machine = uniform_machine();
    EXPECT_DOUBLE_EQ(
        walk_seconds(schedule_of({sender.finish(), receiver.finish()}), bytes, machine),
        machine.on_node.latency + messages * machine.on_node.gap(bytes));
}

TEST(Walk, ManySendersToOneReceiverQueue) {
    constexpr int senders = 4;
    std::vector<Program> programs(1);
    ProgramBuilder receiver(0, senders);
    for (int i = 1; i <= senders; ++i) {
        receiver.recv(i, output(i - 1));
        ProgramBuilder sender(1, 0);
        sender.send(0, input(0));
        programs.push_back(sender.finish());
    }
    programs[0] = receiver.finish();
    const MachineParameters machine = uniform_machine();
    EXPECT_NEAR(walk_seconds(schedule_of(std::move(programs)), bytes, machine),
                machine.on_node.latency + senders * machine.on_node.gap(bytes), 1e-15);
}

TEST(Walk, AReplyWaitsForItsMessageAndItsCopy) {
    ProgramBuilder first(1, 1);
    first.send(1, input(0));
    first.recv(1, output(0));
    ProgramBuilder second(1, 1);
    const std::int32_t kept = second.reserve_scratch(1);
    const StepId here = second.recv(0, scratch(kept));
    const StepId copied = second.copy(scratch(kept), output(0), {here});
    second.send(0, input(0), {copied});
    MachineParameters machine = uniform_machine();
    machine.copy = PiecewiseLinear::line(7e-6, 0);
    EXPECT_DOUBLE_EQ(walk_seconds(schedule_of({first.finish(), second.finish()}), bytes, machine),
                     2 * (machine.on_node.latency + machine.on_node.gap(bytes)) + 7e-6);
}

TEST(Walk, OverheadBoundsWhereItExceedsTheGap) {
    constexpr int messages = 10;
    ProgramBuilder sender(messages, 0);
    ProgramBuilder receiver(0, messages);
    for (int i = 0; i < messages; ++i) {
        sender.send(1, input(i));
        receiver.recv(0, output(i));
    }
    MachineParameters machine = uniform_machine();
    machine.on_node.send_overhead = PiecewiseLinear::line(50e-6, 0);
    const double gap = machine.on_node.gap(bytes);
    EXPECT_NEAR(walk_seconds(schedule_of({sender.finish(), receiver.finish()}), bytes, machine),
                (messages - 1) * 50e-6 + std::max(50e-6, machine.on_node.latency + gap), 1e-12);
}

TEST(Walk, KindOfPairDecides) {
    ProgramBuilder sender(1, 1);
    sender.send(1, input(0));
    ProgramBuilder receiver(1, 1);
    receiver.recv(0, output(0));
    Schedule schedule = schedule_of({sender.finish(), receiver.finish()});
    schedule.instance.placement = Placement::blocks(2, 1);
    const MachineParameters machine = two_level_machine();
    EXPECT_DOUBLE_EQ(walk_seconds(schedule, bytes, machine),
                     machine.off_node.latency + machine.off_node.gap(bytes));
}

TEST(Walk, SaysWhoWaitsForEver) {
    const auto program = [](std::int32_t peer) {
        ProgramBuilder builder(1, 1);
        const StepId received = builder.recv(peer, output(0));
        builder.send(peer, input(0), {received});
        return builder.finish();
    };
    try {
        walk_seconds(schedule_of({program(1), program(0)}), bytes, uniform_machine());
        FAIL() << "a deadlock was given a time";
    } catch (const std::invalid_argument& error) {
        EXPECT_NE(std::string(error.what()).find("step 0 of rank 0 waits"), std::string::npos);
    }
    ProgramBuilder lonely(1, 1);
    lonely.send(1, input(0));
    EXPECT_THROW(walk_seconds(schedule_of({lonely.finish(), Program{}}), bytes, uniform_machine()),
                 std::invalid_argument);
}

}  // namespace
}  // namespace tasuki

// An execution is not over while a peer waits for an answer that has found no room.
#include <atomic>
#include <gtest/gtest.h>
#include <thread>

#include "execute/step_machine.hpp"
#include "schedule/builder.hpp"
#include "transport/memory/memory_transport.hpp"
#include "transport/one_thread.hpp"

namespace tasuki::test {
namespace {

using memory::MemoryTransport;

constexpr std::int64_t offered_bytes = 200000;

/// Rank 1 has offered a message to rank 0, which has no room for the answer. What rank 0 executes
/// ends with a local step, after the message.
class Answers : public testing::Test {
  protected:
    Answers() {
        ranks[0].progress();
        const auto one = content(8, 2);
        while (ranks[0].send_now(1, 99, one.data(), one.size())) continue;
    }

    static Program program() {
        ProgramBuilder builder(1, 1);
        const std::int32_t received = builder.reserve_scratch(1);
        const StepId receive = builder.recv(1, scratch(received));
        builder.copy(input(0), output(0));
        builder.reduce(scratch(received), Operand::left, output(0), {receive});
        return builder.finish();
    }

    OneThread ranks{2, {.warm_bytes = 0}};
    Transfer& offered = ranks.send(1, 0, 0, content(offered_bytes, 1));
    MemoryTransport transport{ranks[0], {0, 1}, 0};
    std::vector<std::byte> in = std::vector<std::byte>(offered_bytes);
    std::vector<std::byte> out = in;
    std::vector<std::byte> received = in;
    std::atomic<bool> is_reduced = false;
    Combine combine = [this](const std::byte*, Operand, std::byte*, std::int64_t) {
        is_reduced = true;
    };
    Binding binding{.input = Buffer::contiguous(in.data(), offered_bytes),
                    .output = Buffer::contiguous(out.data(), offered_bytes),
                    .scratch = Buffer::contiguous(received.data(), offered_bytes),
                    .transport = &transport,
                    .combine = &combine};
};

TEST_F(Answers, HaveGoneWhenAnExecutionThatIsPolledIsOver) {
    StepMachine machine(program());
    machine.start(binding);
    for (int i = 0; i < 10; ++i) ASSERT_FALSE(machine.advance());
    EXPECT_TRUE(is_reduced);
    EXPECT_EQ(received, offered.bytes);
    ranks[1].progress();
    EXPECT_TRUE(machine.advance());
    ranks[1].progress();
    EXPECT_TRUE(offered.is_done());
}

TEST_F(Answers, HaveGoneWhenAnExecutionThatIsWaitedForIsOver) {
    StepMachine machine(program());
    std::thread execution([&] { machine.run(binding); });
    // What rank 0 receives has come before, so the answer waits by now.
    while (!is_reduced) std::this_thread::yield();
    ranks[1].progress();
    execution.join();
    ranks[1].progress();
    EXPECT_TRUE(offered.is_done());
}

}  // namespace
}  // namespace tasuki::test

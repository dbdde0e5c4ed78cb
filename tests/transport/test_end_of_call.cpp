// What a rank does at the end of a call, after which it may make no other for long.
#include <gtest/gtest.h>

#include "execute/step_machine.hpp"
#include "schedule/builder.hpp"
#include "transport/memory/cores.hpp"
#include "transport/memory/memory_transport.hpp"
#include "transport/memory/waiting.hpp"
#include "transport/one_thread.hpp"

namespace tasuki::test {
namespace {

using memory::MemoryTransport;

enum class Last : std::uint8_t { send, copy };

/// A rank receives a chunk, then sends one, and then, perhaps, copies what came.
Program answer(Last last) {
    ProgramBuilder builder(1, 1);
    const Region came = scratch(builder.reserve_scratch(1));
    const StepId sent = builder.send(0, input(0), {builder.recv(0, came)});
    if (last == Last::copy) builder.copy(came, output(0), {sent});
    return builder.finish();
}

// Its peer's message had come, so that it has waited for nothing since it has answered.
TEST(EndOfCall, WakesAPeerThatSleeps) {
    for (const Last last : {Last::send, Last::copy}) {
        OneThread ranks(2);
        MemoryTransport transport(ranks[1], {0, 1}, 0);
        MemoryTransport of_peer(ranks[0], {0, 1}, 0);
        StepMachineOn<MemoryTransport> machine(answer(last));
        std::int32_t number = 17;
        std::int32_t result = 0;
        std::int32_t room = 0;
        const Buffer sent = Buffer::contiguous(&number, sizeof number);
        const Binding binding{.input = sent,
                              .output = Buffer::contiguous(&result, sizeof result),
                              .scratch = Buffer::contiguous(&room, sizeof room),
                              .transport = &transport};
        const auto call_after_its_peer = [&] {
            of_peer.start_send({1, 0, &sent, 0, 1}, 0);
            machine.run(binding);
            return false;
        };
        call_after_its_peer();  // it learns that its peer talks
        constexpr double long_sleep = 2;
        const double began = memory::seconds_now();
        ranks[1].segment_of(0).front().bell.sleep(call_after_its_peer, long_sleep);
        EXPECT_LT(memory::seconds_now() - began, long_sleep / 2);
        EXPECT_EQ(result, last == Last::copy ? 17 : 0);
    }
}

TEST(EndOfCall, LeavesWhatHasComeForTheNext) {
    if (memory::count_cores().usable < 2) GTEST_SKIP() << "where ranks share cores it looks";
    OneThread ranks(2);
    ranks.send(0, 1, 7, content(8, 1));
    ranks[1].progress();  // learns that its peer talks
    ranks.receive(0, 1, 7, 8);
    const auto next = content(8, 2);
    ASSERT_TRUE(ranks[0].send_now(1, 7, next.data(), next.size()));
    ranks[1].flush();
    std::vector<std::byte> got(next.size());
    EXPECT_TRUE(ranks[1].receive_now(0, 7, got.data(), got.size()).has_value());
    EXPECT_EQ(got, next);
}

}  // namespace
}  // namespace tasuki::test

// What a rank does at the end of a call, after which it may make no other for long.
#include <gtest/gtest.h>

#include "execute/step_machine.hpp"
#include "schedule/builder.hpp"
#include "transport/memory/memory_transport.hpp"
#include "transport/memory/waiting.hpp"
#include "transport/one_thread.hpp"

namespace tasuki::test {
namespace {

using memory::MemoryTransport;

/// Two ranks exchange a chunk; then each copies what came.
Program exchange_and_copy(std::int32_t rank) {
    ProgramBuilder builder(1, 1);
    const Region came = scratch(builder.reserve_scratch(1));
    builder.send(1 - rank, input(0));
    builder.copy(came, output(0), {builder.recv(1 - rank, came)});
    return builder.finish();
}

// Its peer's message had come, so that it has waited for nothing, and its last step is a local one.
TEST(EndOfCall, WakesAPeerThatSleeps) {
    OneThread ranks(2);
    MemoryTransport transport(ranks[1], {0, 1}, 0);
    MemoryTransport of_peer(ranks[0], {0, 1}, 0);
    StepMachineOn<MemoryTransport> machine(exchange_and_copy(1));
    std::int32_t of_peers = 0;
    std::int32_t sent = 1;
    std::int32_t result = 0;
    std::int32_t room = 0;
    const Buffer peers_buffer = Buffer::contiguous(&of_peers, sizeof of_peers);
    const Binding binding{.input = Buffer::contiguous(&sent, sizeof sent),
                          .output = Buffer::contiguous(&result, sizeof result),
                          .scratch = Buffer::contiguous(&room, sizeof room),
                          .transport = &transport};
    const auto call_after_its_peer = [&] {
        ++of_peers;
        of_peer.start_send({1, 0, &peers_buffer, 0, 1}, 0);
        machine.run(binding);
        return false;
    };
    call_after_its_peer();  // it learns that its peer talks
    constexpr double long_sleep = 2;
    const double began = memory::seconds_now();
    ranks[1].segment_of(0).front().bell.sleep(call_after_its_peer, long_sleep);
    EXPECT_LT(memory::seconds_now() - began, long_sleep / 2);
    EXPECT_EQ(result, 2);
}

TEST(EndOfCall, LeavesWhatHasComeForTheNext) {
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

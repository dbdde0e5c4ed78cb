// Messages that the receiver copies, or both ends.
#include <array>
#include <gtest/gtest.h>
#include <vector>

#include "transport/memory/waiting.hpp"
#include "transport/memory_world.hpp"

namespace tasuki::test {
namespace {

/// An operation and what it needs; to be waited for.
class Carried {
  public:
    Carried(Endpoint& endpoint, bool is_send, memory::Tag tag, std::vector<std::byte>& bytes)
        : endpoint_(endpoint) {
        operation_.peer = 1 - endpoint.rank();
        operation_.tag = tag;
        operation_.address = bytes.data();
        operation_.bytes = bytes.size();
        operation_.finished = &finished_;
        is_send ? endpoint.send(operation_) : endpoint.receive(operation_);
    }
    void wait() {
        while (finished_.empty()) endpoint_.wait(finished_, operation_);
    }

  private:
    Endpoint& endpoint_;
    memory::Operation operation_;
    memory::OperationList finished_;
};

// Each byte is copied once, by whichever end it is. The receiver says when it waits, and whether it
// has helped; on a busy machine it may take thousands of messages until it runs at the same time.
class Share : public testing::TestWithParam<std::size_t> {};

TEST_P(Share, AReceiverThatWaitsCopiesToo) {
    if (memory::count_cores().present < 2) GTEST_SKIP() << "needs two cores";
    const std::size_t bytes = GetParam();
    const double give_up_at = memory::seconds_now() + 20;
    constexpr std::size_t block = Settings{}.share_block_bytes;
    std::array<std::uint64_t, 2> copied{};
    std::uint64_t messages = 0;
    // Warm blocks would carry them, or streams.
    const Settings straight{.warm_bytes = 0, .stream_bytes = ~std::uint64_t{0}};
    run_threads(2, straight, [&](Endpoint& endpoint) {
        std::vector<std::byte> expected(bytes);
        std::vector<std::byte> is_last(1);
        for (int message = 0; is_last[0] == std::byte{0}; ++message) {
            for (std::size_t at = message % 5000; at < bytes; at += 5000) {
                expected[at] = static_cast<std::byte>(message + 1);
            }
            if (endpoint.rank() == 0) {
                Carried(endpoint, false, 1, is_last).wait();
                Carried(endpoint, true, 0, expected).wait();
                continue;
            }
            std::vector<std::byte> received(bytes);
            Carried receive(endpoint, false, 0, received);
            const bool has_helped = endpoint.counters().copied_bytes > block;
            is_last[0] = static_cast<std::byte>(has_helped || memory::seconds_now() > give_up_at);
            Carried(endpoint, true, 1, is_last).wait();
            receive.wait();
            ASSERT_EQ(received, expected);
            ++messages;
        }
        endpoint.flush();
        copied[endpoint.rank()] = endpoint.counters().copied_bytes;
    });
    EXPECT_EQ(copied[0] + copied[1], messages * (bytes + 2));
    EXPECT_GT(copied[1], block) << "the receiver has never helped";
}

// Of the shorter one the receiver reads all or nothing.
INSTANTIATE_TEST_SUITE_P(Bytes, Share, testing::Values(200000, (2 << 20) + 12345));

}  // namespace
}  // namespace tasuki::test

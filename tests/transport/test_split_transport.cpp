// Messages inside a node by memory and the others by another transport, in one execution.
#include <ctime>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "transport/loopback/loopback.hpp"
#include "transport/one_thread.hpp"
#include "transport/split_transport.hpp"

namespace tasuki::test {
namespace {

using memory::MemoryTransport;

std::vector<std::int32_t> first(std::int32_t ranks) {
    std::vector<std::int32_t> list(ranks);
    std::iota(list.begin(), list.end(), 0);
    return list;
}

/// Everybody sends `bytes` to everybody else and gets as much.
void exchange(std::int32_t rank, std::int32_t ranks, std::size_t bytes, Transport& transport,
              bool one_by_one) {
    std::vector<std::vector<std::byte>> sent, received;
    std::vector<Buffer> from, to;
    for (std::int32_t peer = 0; peer < ranks; ++peer) {
        sent.push_back(content(bytes, static_cast<unsigned>(10 * rank + peer)));
        received.emplace_back(bytes);
    }
    for (std::int32_t peer = 0; peer < ranks; ++peer) {
        from.push_back(Buffer::contiguous(sent[peer].data(), static_cast<std::int64_t>(bytes)));
        to.push_back(Buffer::contiguous(received[peer].data(), static_cast<std::int64_t>(bytes)));
    }
    std::size_t started = 0;
    for (std::int32_t peer = 0; peer < ranks; ++peer) {
        if (peer == rank) continue;
        transport.start_recv({peer, 1, &to[peer], 0, 1}, static_cast<StepId>(2 * peer));
        transport.start_send({peer, 1, &from[peer], 0, 1}, static_cast<StepId>(2 * peer + 1));
        started += 2;
    }
    std::vector<StepId> completed;
    while (one_by_one && completed.size() < started) transport.collect(Patience::wait, completed);
    transport.wait_for_all();
    for (std::int32_t peer = 0; peer < ranks; ++peer) {
        if (peer == rank) continue;
        EXPECT_EQ(received[peer], content(bytes, static_cast<unsigned>(10 * peer + rank)));
    }
}

TEST(SplitTransport, CarriesToRanksOfTheNodeAndToOthers) {
    const Placement placement = Placement::parse("0,1,0,1,0", 5);
    OneThread even(3), odd(2);
    LoopbackWorld world(5, LoopbackWorld::Sends::synchronous);
    world.run([&](std::int32_t rank, Transport& outside) {
        OneThread& node = placement.node_of(rank) == 0 ? even : odd;
        memory::Endpoint& endpoint = node[placement.local_of(rank)];
        MemoryTransport inside(endpoint, first(placement.ranks_on(placement.node_of(rank))), 0);
        SplitTransport transport(endpoint, inside, outside, placement, rank);
        for (const std::size_t bytes : {8, 5000, 300000}) {
            for (const bool one_by_one : {false, true}) {
                exchange(rank, 5, bytes, transport, one_by_one);
            }
        }
    });
}

/// Completes the step that was started last when it is asked first; asked again, it lets rank 1
/// take its messages.
class Outside : public Transport {
  public:
    explicit Outside(memory::Endpoint& other) : other_(other) {}

    void start_send(const Message&, StepId step) override { start_recv({}, step); }
    void start_recv(const Message&, StepId step) override { steps_ = {step}; }
    void collect(Patience, std::vector<StepId>& completed) override {
        if (steps_.empty()) other_.progress();
        completed.insert(completed.end(), steps_.begin(), steps_.end());
        steps_.clear();
    }
    void wait_for_all() override { steps_.clear(); }
    void abandon() noexcept override {}

  private:
    memory::Endpoint& other_;
    std::vector<StepId> steps_;
};

// The last that a rank does in an execution may be to wait for room, for an answer that a peer
// needs; what completes outside meanwhile is of this execution, not of the next one.
TEST(SplitTransport, LeavesNothingToTheNextExecution) {
    OneThread ranks(2, {.warm_bytes = 0});
    const Placement placement = Placement::parse("0,0,1", 3);
    Outside outside(ranks[1]);
    MemoryTransport inside(ranks[0], first(2), 0);
    SplitTransport transport(ranks[0], inside, outside, placement, 0);
    std::vector<std::byte> large(200000), small(8);
    const Buffer large_buffer = Buffer::contiguous(large.data(), 200000);
    const Buffer small_buffer = Buffer::contiguous(small.data(), 8);

    ranks.send(1, 0, 9, content(large.size(), 1));
    for (std::uint32_t i = 0; i < memory::cells_of_box - 1; ++i) {
        transport.start_send({1, 3, &small_buffer, 0, 1}, 1);
    }
    transport.start_recv({1, 9, &large_buffer, 0, 1}, 2);
    std::vector<StepId> completed;
    while (!inside.is_idle()) transport.collect(Patience::poll, completed);
    transport.start_recv({2, 0, &small_buffer, 0, 1}, 7);
    transport.wait_for_all();
    EXPECT_EQ(large, content(large.size(), 1));

    completed.clear();
    transport.start_recv({2, 0, &small_buffer, 0, 1}, 8);
    transport.collect(Patience::poll, completed);
    EXPECT_EQ(completed, std::vector<StepId>{8});
}

double seconds_of(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

constexpr double delay = 0.4;
/// Of the delay, computed by one who waits: a twentieth is promised after the first millisecond.
constexpr double most_computed = 0.1 * delay;

/// One message that comes late.
class Late : public Transport {
  public:
    void start_send(const Message&, StepId step) override { start_recv({}, step); }
    void start_recv(const Message&, StepId step) override {
        step_ = step;
        comes_ = seconds_of(CLOCK_MONOTONIC) + delay;
        is_under_way_ = true;
    }
    void collect(Patience, std::vector<StepId>& completed) override {
        if (!is_under_way_ || seconds_of(CLOCK_MONOTONIC) < comes_) return;
        is_under_way_ = false;
        completed.push_back(step_);
    }
    void wait_for_all() override { FAIL() << "nobody drives what is on the node meanwhile"; }
    void abandon() noexcept override {}

  private:
    StepId step_ = 0;
    double comes_ = 0;
    bool is_under_way_ = false;
};

TEST(SplitTransport, WhoWaitsForAnotherNodeLeavesItsCore) {
    for (const bool one_by_one : {false, true}) {
        OneThread ranks(2);
        const Placement placement = Placement::parse("0,0,1", 3);
        Late outside;
        MemoryTransport inside(ranks[0], first(2), 0);
        SplitTransport transport(ranks[0], inside, outside, placement, 0);
        std::vector<std::byte> bytes(8);
        const Buffer buffer = Buffer::contiguous(bytes.data(), 8);
        transport.start_recv({2, 0, &buffer, 0, 1}, 7);
        const double before = seconds_of(CLOCK_THREAD_CPUTIME_ID);
        std::vector<StepId> completed;
        if (one_by_one) {
            while (completed.empty()) transport.collect(Patience::wait, completed);
            EXPECT_EQ(completed, std::vector<StepId>{7});
        } else {
            transport.wait_for_all();
        }
        EXPECT_LT(seconds_of(CLOCK_THREAD_CPUTIME_ID) - before, most_computed);
    }
}

/// Comes when the other rank of the node has had what it asked this one for.
class AfterAnAnswer : public Transport {
  public:
    AfterAnAnswer(memory::Endpoint& other, const Transfer& asked) : other_(other), asked_(asked) {}

    void start_send(const Message&, StepId) override {}
    void start_recv(const Message&, StepId step) override { step_ = step; }
    void collect(Patience, std::vector<StepId>& completed) override {
        other_.progress();
        if (asked_.is_done() && step_ != 0) completed.push_back(std::exchange(step_, 0));
    }
    void wait_for_all() override { FAIL() << "nobody drives what is on the node meanwhile"; }
    void abandon() noexcept override {}

  private:
    memory::Endpoint& other_;
    const Transfer& asked_;
    StepId step_ = 0;
};

TEST(SplitTransport, WhoWaitsForAnotherNodeStillTakesWhatComesOnItsOwn) {
    // Until rank 0 takes some of them, rank 1 has no cell for its last messages.
    OneThread ranks(2);
    const Placement placement = Placement::parse("0,0,1", 3);
    std::vector<Transfer*> sent;
    for (std::uint32_t i = 0; i < 2 * memory::cells_of_box; ++i) {
        sent.push_back(&ranks.send(1, 0, i, content(8, i)));
    }
    ASSERT_FALSE(sent.back()->is_done());
    AfterAnAnswer outside(ranks[1], *sent.back());
    MemoryTransport inside(ranks[0], first(2), 0);
    SplitTransport transport(ranks[0], inside, outside, placement, 0);
    std::vector<std::byte> bytes(8);
    const Buffer buffer = Buffer::contiguous(bytes.data(), 8);
    transport.start_recv({2, 0, &buffer, 0, 1}, 7);
    transport.wait_for_all();
    EXPECT_TRUE(sent.back()->is_done());
}

}  // namespace
}  // namespace tasuki::test

// Requests and messages that cross: every order in which the calls of two ranks can come.
#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <random>

#include "transport/one_thread.hpp"

namespace tasuki::test {
namespace {

/// A call of one rank. `bytes` of a receive are what it has room for.
struct Call {
    enum What : std::uint8_t { send, receive, progress } what;
    memory::Tag tag = 0;
    std::size_t bytes = 0;
};
using Script = std::vector<Call>;

/// Above the limit from which messages go straight from buffer to buffer.
constexpr std::size_t large = memory::small_bytes + 60;
constexpr std::size_t small = 10;
constexpr std::uint64_t direct = memory::small_bytes + 24;

/// Straight, by the sender or by both ends; in blocks, where large messages may come while their
/// receives have left requests; and as where the system denies remote copies.
constexpr std::array<memory::Settings, 4> ways = {{
    {.direct_bytes = direct, .warm_bytes = 0},
    {.direct_bytes = direct, .warm_bytes = 0, .shared_bytes = direct, .share_block_bytes = 48},
    {.direct_bytes = direct},
    {.direct_bytes = direct, .warm_bytes = 0, .remote_copies = false},
}};

/// Plays both scripts, rank 1's calls where `turns` has a 1, and then progress; looks whether the
/// n-th message of a tag came to the n-th receive of it.
void play(const std::array<Script, 2>& scripts, const std::vector<int>& turns,
          const memory::Settings& settings, int progress_at_end = 6) {
    OneThread ranks(2, settings);
    std::array<std::vector<Transfer*>, 2> sends;
    std::array<std::vector<Transfer*>, 2> receives;
    std::array<std::size_t, 2> next{};
    for (const int rank : turns) {
        const Call& call = scripts[rank][next[rank]++];
        const auto number = static_cast<unsigned>(rank * 100 + next[rank]);
        if (call.what == Call::send) {
            sends[rank].push_back(
                &ranks.send(rank, 1 - rank, call.tag, content(call.bytes, number)));
        } else if (call.what == Call::receive) {
            receives[rank].push_back(&ranks.receive(1 - rank, rank, call.tag, call.bytes));
        } else {
            ranks[rank].progress();
        }
    }
    ranks.progress(progress_at_end);
    for (const int receiver : {0, 1}) {
        std::vector<bool> used(receives[receiver].size());
        for (const Transfer* const send : sends[1 - receiver]) {
            ASSERT_TRUE(send->is_done());
            std::size_t i = 0;
            while (used[i] || receives[receiver][i]->operation.tag != send->operation.tag) ++i;
            used[i] = true;
            const Transfer& receive = *receives[receiver][i];
            ASSERT_TRUE(receive.is_done());
            ASSERT_EQ(receive.operation.arrived, send->bytes.size());
            ASSERT_TRUE(std::equal(send->bytes.begin(), send->bytes.end(), receive.bytes.begin()));
        }
    }
}

/// Every order of the calls.
int play_all(const std::array<Script, 2>& scripts, const memory::Settings& settings) {
    std::vector<int> turns(scripts[0].size(), 0);
    turns.insert(turns.end(), scripts[1].size(), 1);
    int orders = 0;
    do {
        play(scripts, turns, settings);
        ++orders;
        if (testing::Test::HasFailure()) {
            for (const int rank : turns) std::cout << rank;
            std::cout << " is the order in which it fails\n";
            break;
        }
    } while (std::next_permutation(turns.begin(), turns.end()));
    return orders;
}

constexpr Call look{Call::progress};

TEST(Crossing, OneTagInOneDirection) {
    for (const auto& way : ways) {
        for (const std::size_t first : {small, large}) {
            for (const std::size_t second : {small, large}) {
                const Script sender{{Call::send, 1, first}, look, {Call::send, 1, second}, look};
                const Script receiver{
                    {Call::receive, 1, large}, look, {Call::receive, 1, large}, look};
                EXPECT_EQ(play_all({sender, receiver}, way), 70);
            }
        }
    }
}

// Of three messages of a tag the second is the only one that must not take a request.
TEST(Crossing, SmallAndLargeOfOneTag) {
    const Script sender{
        {Call::send, 1, large}, {Call::send, 1, small}, look, {Call::send, 1, large}, look};
    const Script receiver{{Call::receive, 1, large},
                          look,
                          {Call::receive, 1, small},
                          look,
                          {Call::receive, 1, large}};
    for (const auto& way : ways) EXPECT_EQ(play_all({sender, receiver}, way), 252);
}

TEST(Crossing, OtherTagsBetween) {
    const Script sender{
        {Call::send, 2, small}, {Call::send, 1, large}, look, {Call::send, 2, large}, look};
    const Script receiver{{Call::receive, 1, large},
                          {Call::receive, 2, large},
                          look,
                          {Call::receive, 2, large},
                          look};
    for (const auto& way : ways) {
        EXPECT_EQ(play_all({sender, receiver}, way), 252);
    }
}

TEST(Crossing, BothDirections) {
    const Script both{{Call::receive, 1, large}, look,
                      {Call::send, 1, large},    look,
                      {Call::send, 1, small},    {Call::receive, 1, large}};
    for (const auto& way : ways) {
        EXPECT_EQ(play_all({both, both}, way), 924);
    }
}

// The first two receives have left requests when the first message crosses them, so that both are
// refused; the third leaves one that is good, but the second comes before it.
TEST(Crossing, AReceiveDoesNotOvertakeOneWhoseRequestWasRefused) {
    for (const auto& way : ways) {
        OneThread ranks(2, way);
        Transfer& first = ranks.receive(0, 1, 1, large);
        Transfer& second = ranks.receive(0, 1, 1, large);
        ranks.send(0, 1, 1, content(small, 1));
        ranks[1].progress();
        ASSERT_TRUE(first.is_done());
        Transfer& third = ranks.receive(0, 1, 1, large);
        ranks[0].progress();
        ranks.send(0, 1, 1, content(large, 2));
        ranks.progress();
        ranks.send(0, 1, 1, content(large, 3));
        ranks.progress();
        ASSERT_TRUE(second.is_done() && third.is_done());
        EXPECT_EQ(second.bytes, content(large, 2));
        EXPECT_EQ(third.bytes, content(large, 3));
    }
}

// So many other messages have passed the first request that its sender cannot tell whether one of
// them was of its tag.
TEST(Crossing, AReceiveDoesNotOvertakeOneWhoseRequestIsTooOld) {
    for (const auto& way : ways) {
        OneThread ranks(2, way);
        const auto let_pass = [&](int messages) {
            for (int message = 0; message < messages; ++message) {
                ranks.send(0, 1, 2, content(small, 0));
                ranks[1].progress();
            }
        };
        ranks.progress();
        Transfer& first = ranks.receive(0, 1, 1, large);
        let_pass(20);
        Transfer& second = ranks.receive(0, 1, 1, large);
        let_pass(20);
        ranks[0].progress();
        ranks.send(0, 1, 1, content(large, 1));
        ranks.progress();
        ranks.send(0, 1, 1, content(large, 2));
        ranks.progress();
        ASSERT_TRUE(first.is_done() && second.is_done());
        EXPECT_EQ(first.bytes, content(large, 1));
        EXPECT_EQ(second.bytes, content(large, 2));
    }
}

// A message that is too long for the first receive is cut there, and not written to the second.
TEST(Crossing, AMessageThatIsTooLongForAReceiveDoesNotPassItBy) {
    for (const auto& way : ways) {
        OneThread ranks(2, way);
        Transfer& first = ranks.receive(0, 1, 1, large);
        Transfer& second = ranks.receive(0, 1, 1, 2 * large);
        ranks.progress();
        ranks.send(0, 1, 1, content(2 * large, 1));
        ranks.progress();
        ASSERT_TRUE(first.is_done());
        EXPECT_EQ(first.operation.arrived, 2 * large);
        EXPECT_FALSE(second.is_done());
    }
}

/// The calls of two ranks that send each other so many messages of three tags, in a random order.
std::array<Script, 2> random_scripts(std::mt19937& random, int messages) {
    std::array<Script, 2> scripts;
    for (const int sender : {0, 1}) {
        for (int message = 0; message < messages; ++message) {
            const memory::Tag tag = random() % 3;
            const std::size_t bytes = random() % 4 == 0 ? small : large;
            scripts[sender].push_back({Call::send, tag, bytes});
            scripts[1 - sender].push_back({Call::receive, tag, large});
            for (Script& script : scripts) script.push_back({Call::progress});
        }
    }
    for (Script& script : scripts) std::ranges::shuffle(script, random);
    return scripts;
}

// Both copy from buffer to buffer and streams that are pulled have to be tried before one is
// chosen, and are tried again later: messages of the two are under way together.
TEST(Crossing, WaysThatChangeMeanwhile) {
    std::mt19937 random(1);
    for (int run = 0; run < 40; ++run) {
        for (memory::Settings way : ways) {
            way.stream_bytes = direct;
            const std::array<Script, 2> scripts = random_scripts(random, 60);
            std::vector<int> turns(scripts[0].size(), 0);
            turns.insert(turns.end(), scripts[1].size(), 1);
            std::ranges::shuffle(turns, random);
            play(scripts, turns, way, 400);
            ASSERT_FALSE(testing::Test::HasFailure()) << "run " << run;
        }
    }
}

}  // namespace
}  // namespace tasuki::test

// MPI's matching on the endpoint: receives of any sender and any tag, probes, synchronous sends,
// and receives that are given up. What a point-to-point engine needs of the transport.
#include <array>
#include <chrono>
#include <csignal>
#include <gtest/gtest.h>
#include <random>
#include <thread>

#include "transport/memory_world.hpp"
#include "transport/one_thread.hpp"

namespace tasuki::test {
namespace {

using memory::any_peer;
using memory::Path;
using memory::Tag;

/// Above the limit from which messages go straight.
constexpr std::size_t large = memory::small_bytes + 60;
constexpr std::uint64_t direct = memory::small_bytes + 24;
constexpr Tag any_tag = 0xff;  // as bits that are ignored

/// Straight; in blocks; as where the system denies remote copies.
constexpr std::array<memory::Settings, 3> ways = {{
    {.direct_bytes = direct, .warm_bytes = 0},
    {.direct_bytes = direct},
    {.direct_bytes = direct, .warm_bytes = 0, .remote_copies = false},
}};

TEST(Matching, AReceiveOfAnySenderSaysWhoHasSent) {
    for (const auto& way : ways) {
        for (const std::size_t bytes : {std::size_t{0}, std::size_t{8}, large}) {
            for (const bool receiver_first : {true, false}) {
                OneThread ranks(3, way);
                Transfer* receive = nullptr;
                if (receiver_first) receive = &ranks.receive(any_peer, 0, 7, bytes);
                ranks.send(2, 0, 7, content(bytes, 5));
                ranks.progress();
                if (!receiver_first) receive = &ranks.receive(any_peer, 0, 7, bytes);
                ranks.progress();
                ASSERT_TRUE(receive->is_done());
                EXPECT_EQ(receive->operation.peer, 2);
                EXPECT_EQ(receive->operation.arrived, bytes);
                EXPECT_EQ(receive->bytes, content(bytes, 5));
            }
        }
    }
}

TEST(Matching, ReceivesOfOneAndOfAnyAreTakenInTheirOrder) {
    for (const auto& way : ways) {
        OneThread ranks(3, way);
        Transfer& any = ranks.receive(any_peer, 0, 7, large);
        Transfer& of_one = ranks.receive(1, 0, 7, large);
        EXPECT_EQ(of_one.operation.request, -1) << "its sender might serve the wrong one";
        ranks.send(1, 0, 7, content(large, 1));
        ranks.send(1, 0, 7, content(large, 2));
        ranks.progress();
        ASSERT_TRUE(any.is_done() && of_one.is_done());
        EXPECT_EQ(any.bytes, content(large, 1));
        EXPECT_EQ(of_one.bytes, content(large, 2));
    }
}

TEST(Matching, OtherTagsDoNotCostTheDirectPath) {
    OneThread ranks(2, ways[0]);
    ranks.receive(any_peer, 0, 6, large);
    Transfer& of_one = ranks.receive(1, 0, 7, large);
    ranks.progress();
    ranks.send(1, 0, 7, content(large, 1));
    ranks.progress();
    ASSERT_TRUE(of_one.is_done());
    EXPECT_EQ(ranks.sent(1, Path::written), 1U);
}

TEST(Matching, WhatHasComeFirstIsTakenFirst) {
    OneThread ranks(3);
    ranks.send(2, 0, 7, content(8, 2));
    ranks.progress();
    ranks.send(1, 0, 7, content(8, 1));
    ranks.progress();
    Transfer& first = ranks.receive(any_peer, 0, 7, 8);
    Transfer& second = ranks.receive(any_peer, 0, 7, 8);
    EXPECT_EQ(first.operation.peer, 2);
    EXPECT_EQ(second.operation.peer, 1);
}

TEST(Matching, AProbeTellsWhatAReceiveWouldTake) {
    for (const auto& way : ways) {
        for (const std::size_t bytes : {std::size_t{8}, large}) {
            OneThread ranks(3, way);
            memory::Operation wanted;
            wanted.peer = any_peer;
            wanted.tag = 0;
            wanted.ignored = any_tag;
            EXPECT_FALSE(ranks[0].probe(wanted).has_value());
            ranks.send(1, 0, 9, content(bytes, 3));
            ranks.progress();
            const auto found = ranks[0].probe(wanted);
            ASSERT_TRUE(found.has_value());
            EXPECT_EQ(found->peer, 1);
            EXPECT_EQ(found->tag, 9U);
            EXPECT_EQ(found->bytes, bytes);
            wanted.peer = 2;
            EXPECT_FALSE(ranks[0].probe(wanted).has_value());
            wanted.peer = 1;
            wanted.ignored = 0;
            EXPECT_FALSE(ranks[0].probe(wanted).has_value()) << "another tag";
            Transfer& receive = ranks.receive(found->peer, 0, found->tag, found->bytes);
            ranks.progress();
            ASSERT_TRUE(receive.is_done());
            EXPECT_EQ(receive.bytes, content(bytes, 3));
        }
    }
}

TEST(Matching, ASynchronousSendIsDoneWhenItHasBeenTaken) {
    for (const auto& way : ways) {
        for (const std::size_t bytes : {std::size_t{0}, std::size_t{8}, large}) {
            OneThread ranks(2, way);
            Transfer& send = ranks.send_synchronously(0, 1, 7, content(bytes, 4));
            ranks.progress();
            EXPECT_FALSE(send.is_done()) << bytes;
            Transfer& receive = ranks.receive(0, 1, 7, bytes);
            ranks.progress();
            EXPECT_TRUE(send.is_done() && receive.is_done()) << bytes;
            EXPECT_EQ(receive.bytes, content(bytes, 4));
        }
    }
}

TEST(Matching, AReceiveThatIsGivenUpTakesNothing) {
    for (const auto& way : ways) {
        for (const std::int32_t peer : {std::int32_t{1}, any_peer}) {
            OneThread ranks(2, way);
            Transfer& given_up = ranks.receive(peer, 0, 7, large);
            ranks.progress();
            ASSERT_TRUE(ranks[0].cancel(given_up.operation));
            ASSERT_FALSE(ranks[0].cancel(given_up.operation));
            ranks.send(1, 0, 7, content(large, 1));
            Transfer& receive = ranks.receive(1, 0, 7, large);
            ranks.progress();
            EXPECT_FALSE(given_up.is_done());
            ASSERT_TRUE(receive.is_done());
            EXPECT_EQ(receive.bytes, content(large, 1));
        }
    }
}

TEST(Matching, AReceiveWhoseMessageHasComeCannotBeGivenUp) {
    OneThread ranks(2, ways[0]);
    Transfer& receive = ranks.receive(1, 0, 7, large);
    ranks.progress();
    ranks.send(1, 0, 7, content(large, 1));  // writes to where the request said
    EXPECT_FALSE(ranks[0].cancel(receive.operation));
    ranks.progress();
    ASSERT_TRUE(receive.is_done());
    EXPECT_EQ(receive.bytes, content(large, 1));
}

/// A history of three ranks that all send to rank 0, itself too, and what came of it.
class History {
  public:
    History(const memory::Settings& settings, unsigned seed) : ranks_(3, settings), random_(seed) {}

    void play(int calls) {
        for (int call = 0; call < calls; ++call) {
            switch (choose(5)) {
                case 0:
                case 1:
                    send();
                    break;
                case 2:
                case 3:
                    receive();
                    break;
                default:
                    ranks_[choose(3)].progress();
            }
        }
        // What is left over on one side is asked for on the other.
        while (sends_.size() > receives_.size()) receive(any_peer, any_tag);
        ranks_.progress(20);
    }

    /// MPI 4.1, 3.5: messages of a sender and receives are taken in order wherever both could be.
    void check() const {
        std::vector<int> taken_by(sends_.size(), -1);
        for (std::size_t r = 0; r < receives_.size(); ++r) {
            const Transfer& receive = *receives_[r].transfer;
            if (!receive.is_done()) continue;
            const auto message = static_cast<std::size_t>(receive.bytes[0]);
            ASSERT_LT(message, sends_.size());
            const Sent& sent = sends_[message];
            ASSERT_EQ(taken_by[message], -1) << "message " << message << " came twice";
            taken_by[message] = static_cast<int>(r);
            ASSERT_EQ(receive.operation.peer, sent.from);
            ASSERT_EQ(receive.operation.tag, sent.transfer->operation.tag);
            ASSERT_EQ(receive.operation.arrived, sent.transfer->bytes.size());
            ASSERT_TRUE(std::equal(sent.transfer->bytes.begin(), sent.transfer->bytes.end(),
                                   receive.bytes.begin()));
            ASSERT_TRUE(could_take(receives_[r], sent));
        }
        for (std::size_t later = 0; later < sends_.size(); ++later) {
            if (taken_by[later] < 0) continue;
            const Posted& taker = receives_[taken_by[later]];
            for (std::size_t earlier = 0; earlier < later; ++earlier) {
                if (sends_[earlier].from != sends_[later].from) continue;
                if (!could_take(taker, sends_[earlier])) continue;
                ASSERT_GE(taken_by[earlier], 0) << "message " << later << " overtook " << earlier;
                ASSERT_LT(taken_by[earlier], taken_by[later])
                    << "messages " << earlier << " and " << later
                    << " came to receives in another order";
            }
            for (int before = 0; before < taken_by[later]; ++before) {
                if (!could_take(receives_[before], sends_[later])) continue;
                ASSERT_TRUE(receives_[before].transfer->is_done())
                    << "receive " << taken_by[later] << " overtook " << before;
            }
        }
        for (std::size_t message = 0; message < sends_.size(); ++message) {
            if (taken_by[message] >= 0) continue;
            for (const Posted& posted : receives_) {
                ASSERT_TRUE(posted.transfer->is_done() || !could_take(posted, sends_[message]))
                    << "message " << message << " and its receive did not meet";
            }
        }
    }

  private:
    struct Sent {
        std::int32_t from;
        Transfer* transfer;
    };
    struct Posted {
        std::int32_t from;
        Tag tag;
        Tag ignored;
        Transfer* transfer;
    };

    int choose(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }

    void send() {
        if (sends_.size() == most_messages) return;
        auto bytes = content(choose(2) ? large : 8, static_cast<unsigned>(sends_.size()));
        bytes[0] = static_cast<std::byte>(sends_.size());
        const int from = choose(3);
        const auto tag = static_cast<Tag>(choose(2));
        Transfer& made = choose(4) == 0 ? ranks_.send_synchronously(from, 0, tag, std::move(bytes))
                                        : ranks_.send(from, 0, tag, std::move(bytes));
        sends_.push_back({from, &made});
    }
    void receive() { receive(choose(4) - 1, choose(3) == 0 ? any_tag : 0); }
    void receive(std::int32_t from, Tag ignored) {
        const auto tag = static_cast<Tag>(choose(2));
        Transfer& made = ranks_.receive(from, 0, tag, large, ignored);
        receives_.push_back({from, tag, ignored, &made});
    }
    static bool could_take(const Posted& posted, const Sent& sent) {
        return (posted.from == any_peer || posted.from == sent.from) &&
               ((posted.tag ^ sent.transfer->operation.tag) & ~posted.ignored) == 0;
    }

    static constexpr std::size_t most_messages = 200;
    OneThread ranks_;
    std::mt19937 random_;
    std::vector<Sent> sends_;
    std::vector<Posted> receives_;
};

TEST(Matching, RandomHistoriesKeepMpisOrder) {
    for (const auto& way : ways) {
        for (unsigned seed = 0; seed < 1000; ++seed) {
            History history(way, seed);
            history.play(60);
            history.check();
            if (HasFatalFailure()) {
                FAIL() << "seed " << seed;
            }
        }
    }
}

/// Receives 8 bytes of any sender and of any tag.
std::int32_t receive_of_any(memory::Endpoint& endpoint) {
    std::array<std::byte, 8> bytes{};
    memory::OperationList finished;
    memory::Operation receive;
    receive.peer = any_peer;
    receive.ignored = any_tag;
    receive.address = bytes.data();
    receive.bytes = bytes.size();
    receive.finished = &finished;
    endpoint.receive(receive);
    endpoint.wait(finished, receive);
    return receive.peer;
}

TEST(Matching, AWaitForAnySenderSleepsAndIsWoken) {
    run_threads(4, {}, [](memory::Endpoint& endpoint) {
        constexpr int messages = 50;
        if (endpoint.rank() != 0) {
            const auto bytes = content(8, 1);
            for (int i = 0; i < messages; ++i) {
                if (i % 10 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
                while (!endpoint.send_now(0, static_cast<Tag>(i), bytes.data(), 8))
                    endpoint.progress();
                endpoint.progress();
            }
            return endpoint.flush();
        }
        std::array<int, 4> from{};
        for (int i = 0; i < 3 * messages; ++i) ++from[receive_of_any(endpoint)];
        EXPECT_EQ(from, (std::array<int, 4>{0, messages, messages, messages}));
    });
}

TEST(Matching, AWaitForAnySenderEndsWhenAllHaveGone) {
    EXPECT_TRUE(end_well(start_processes(2, {}, [](memory::Endpoint& endpoint) {
        if (endpoint.rank() == 1) _exit(0);
        EXPECT_THROW(receive_of_any(endpoint), memory::PeerGone);
    })));
}

}  // namespace
}  // namespace tasuki::test

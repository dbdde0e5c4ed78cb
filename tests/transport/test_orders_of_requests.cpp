// Requests that are claimed while they are withdrawn, and peers that begin to talk while the
// receiver goes to sleep, in every order in which memory operations can take effect.
#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <string>

#include "transport/explorer.hpp"
#include "transport/memory/bell.hpp"
#include "transport/memory/fifo.hpp"
#include "transport/memory/request_book.hpp"

namespace tasuki::test {
namespace {

using memory::Order;

constexpr const char* of_one_given_up = "a buffer was written to that had been given up";
constexpr const char* of_a_number = "a number was used twice";

/// How a sender takes a request: as it must, or by a look at whether it is open.
enum class Taking : std::uint8_t { claims, only_looks };

/// A receiver that leaves requests, each for a buffer of its own, and takes some back; a sender
/// that serves what it can.
template <typename Sync>
struct Requests {
    using Book = memory::RequestBookOn<Sync>;
    static constexpr std::size_t most = 2;
    static constexpr std::uint64_t sent = 7;
    static constexpr std::uint64_t own = 50;

    typename Book::Places places;
    std::array<typename Sync::template Word<std::uint64_t>, most> left;  // number + 1
    std::array<typename Sync::template Word<std::uint64_t>, most> buffers;
    std::array<typename Sync::template Word<std::uint32_t>, most> ended;

    /// Whether it has written. `is_written` is what it says of it: a copy that the system denies
    /// may have begun.
    bool serve(std::size_t request, Taking taking, bool is_written) {
        std::uint64_t number = 0;
        while ((number = left[request].load(Order::acquire)) == 0) {
            Explorer::current().wait_for_change();
        }
        --number;
        const bool is_taken =
            taking == Taking::claims ? Book::claim(places, number) : is_open(number);
        if (is_taken) {
            buffers[request].store(sent, Order::relaxed);
            Book::release(places, number, is_written);
        }
        // Only so that the receiver knows when to look.
        Explorer::current().fence();
        ended[request].store(is_taken && is_written ? 2 : 1, Order::release);
        return is_taken;
    }

    std::int64_t leave(Book& book, std::size_t request) {
        const std::int64_t number = book.open_one();
        left[request].store(static_cast<std::uint64_t>(number) + 1, Order::release);
        return number;
    }

    /// As Peer::abandon() does: from then on the buffer is the program's, which writes to it.
    void abandon(Book& book, std::size_t request, std::int64_t number) {
        if (!book.withdraw(number)) {
            while (book.is_claimed(number)) Explorer::current().wait_for_change();
            book.close(number);
        }
        buffers[request].store(own, Order::relaxed);
        await_end(request);
        expect(request, own, of_one_given_up);
    }

    /// As Peer::finish_written() does, which the sender's record tells.
    void take(Book& book, std::size_t request, std::int64_t number) {
        if (await_end(request) != 2) return;
        expect(request, sent, "what was written had not arrived");
        book.close(number);
    }

    std::uint32_t await_end(std::size_t request) {
        std::uint32_t how = 0;
        while ((how = ended[request].load(Order::acquire)) == 0) {
            Explorer::current().wait_for_change();
        }
        return how;
    }
    void expect(std::size_t request, std::uint64_t value, const char* otherwise) {
        if (buffers[request].load(Order::relaxed) != value) {
            Explorer::current().note_wrong(otherwise);
        }
    }
    bool is_open(std::uint64_t number) const {
        const std::uint64_t place = Book::place_of(number);
        const std::uint64_t use = number / memory::most_requests;
        return places[place].load(Order::acquire) == (use << 2 | Book::open);
    }
};

/// What is wrong with a request that is given up while its sender takes it, and one behind it that
/// is waited for, of the same place if the first was withdrawn.
template <typename Sync>
std::string explore_requests(Taking taking, bool is_written) {
    Explorer explorer;
    const std::string wrong = explorer.explore([=] {
        auto state = std::make_shared<Requests<Sync>>();
        Explorer::Scene scene;
        scene.threads = {[=] {
                             state->serve(0, taking, is_written);
                             state->serve(1, taking, true);
                         },
                         [=] {
                             typename Requests<Sync>::Book book(state->places);
                             const std::int64_t first = state->leave(book, 0);
                             state->abandon(book, 0, first);
                             const std::int64_t second = state->leave(book, 1);
                             if (second == first) {
                                 Explorer::current().note_wrong(of_a_number);
                             }
                             state->take(book, 1, second);
                         }};
        scene.wrong = [] { return std::string(); };
        scene.state = state;
        return scene;
    });
    EXPECT_GT(explorer.runs(), 10U);
    return wrong;
}

TEST(OrdersOfRequests, WhatIsGivenUpIsNotWrittenTo) {
    EXPECT_EQ(explore_requests<ExploredSync<>>(Taking::claims, true), "");
    EXPECT_EQ(explore_requests<ExploredSync<>>(Taking::claims, false), "");
}

TEST(OrdersOfRequests, WritingWithoutAClaimWouldBeFound) {
    const std::string wrong = explore_requests<ExploredSync<>>(Taking::only_looks, true);
    // The end of the one overwrites that the other has taken the request back.
    EXPECT_TRUE(wrong.starts_with(of_a_number)) << wrong;
}

TEST(OrdersOfRequests, AnEndThatIsNotReleasedWouldBeFound) {
    using Sync = ExploredSync<true, false>;
    for (const bool is_written : {true, false}) {
        const std::string wrong = explore_requests<Sync>(Taking::claims, is_written);
        EXPECT_TRUE(wrong.starts_with(of_one_given_up)) << wrong;
    }
}

/// How a rank says that it has begun to send: as it must, or by a load and a store.
enum class Beginning : std::uint8_t { fetches_and_sets, loads_and_stores };

/// Ranks that have never sent anything begin to, and one that has nothing to do goes to sleep.
template <typename Sync>
struct Talkers {
    struct Content {
        typename Sync::template Word<std::uint64_t> value;
    };
    using Cell = memory::CellOn<Sync, Content>;
    static constexpr std::size_t senders = 2;
    static constexpr std::uint32_t capacity = 2;

    typename Sync::template Word<std::uint64_t> talkers;
    memory::BellOn<Sync> bell;
    std::array<std::array<Cell, capacity>, senders> cells;
    std::array<typename Sync::template Word<std::uint64_t>, senders> taken;

    /// As Peer and Endpoint do: the bit, the first record, a fence, the bell.
    void talk(std::size_t rank, Beginning beginning) {
        const std::uint64_t bit = std::uint64_t{1} << rank;
        if (beginning == Beginning::fetches_and_sets) {
            talkers.fetch_or(bit);
        } else {
            talkers.store(talkers.load(Order::acquire) | bit, Order::release);
        }
        memory::FifoWriter<Sync, Content> fifo(cells[rank].data(), capacity, taken[rank]);
        fifo.claim()->value.store(100 + rank, Order::relaxed);
        fifo.publish(0);
        Sync::full_fence();
        bell.ring();
    }

    /// Looks only at those that have said that they talk.
    void hear_all() {
        std::array<bool, senders> has_come{};
        const auto look = [&] {
            const std::uint64_t talking = talkers.load(Order::acquire);
            bool is_all = true;
            for (std::size_t rank = 0; rank < senders; ++rank) {
                if (!has_come[rank] && (talking >> rank & 1) != 0) has_come[rank] = hear(rank);
                is_all = is_all && has_come[rank];
            }
            return is_all;
        };
        while (!look()) bell.sleep(look, 1);
    }

    bool hear(std::size_t rank) {
        memory::FifoReader<Sync, Content> fifo(cells[rank].data(), capacity, taken[rank]);
        std::uint32_t what = 0;
        const Content* const record = fifo.peek(what);
        if (record == nullptr) return false;
        if (record->value.load(Order::relaxed) != 100 + rank) {
            Explorer::current().note_wrong("a record is not what was written");
        }
        return true;
    }
};

template <typename Sync>
std::string explore_talkers(Beginning beginning) {
    Explorer explorer;
    const std::string wrong = explorer.explore([=] {
        auto state = std::make_shared<Talkers<Sync>>();
        Explorer::Scene scene;
        scene.threads = {[=] { state->talk(0, beginning); }, [=] { state->talk(1, beginning); },
                         [=] { state->hear_all(); }};
        scene.wrong = [] { return std::string(); };
        scene.state = state;
        return scene;
    });
    EXPECT_GT(explorer.runs(), 10U);
    return wrong;
}

TEST(OrdersOfRequests, WhoBeginsToTalkIsHeardByOneThatGoesToSleep) {
    EXPECT_EQ(explore_talkers<ExploredSync<>>(Beginning::fetches_and_sets), "");
}

TEST(OrdersOfRequests, ATalkerThatOverwritesAnotherWouldBeFound) {
    const std::string wrong = explore_talkers<ExploredSync<>>(Beginning::loads_and_stores);
    EXPECT_EQ(wrong.substr(0, 18), "a wake-up was lost");
}

TEST(OrdersOfRequests, ATalkerWithoutAFenceWouldBeFound) {
    const std::string wrong = explore_talkers<ExploredSync<false>>(Beginning::fetches_and_sets);
    EXPECT_EQ(wrong.substr(0, 18), "a wake-up was lost");
}

}  // namespace
}  // namespace tasuki::test

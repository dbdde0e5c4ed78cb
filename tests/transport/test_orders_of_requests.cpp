// Requests that are claimed while they are withdrawn, and peers that begin to talk while the
// receiver goes to sleep, in every order in which memory operations can take effect.
#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "transport/explored_ranks.hpp"
#include "transport/explored_sync.hpp"
#include "transport/memory/bell.hpp"
#include "transport/memory/fifo.hpp"
#include "transport/memory/request_book.hpp"

namespace tasuki::test {
namespace {

using memory::Order;

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
    std::array<ExploredData, most> buffers;
    std::array<typename Sync::template Word<std::uint32_t>, most> ended;

    /// Whether it has written. `is_written` is what it says of it: a copy that the system denies
    /// may have begun.
    bool serve(std::size_t request, Taking taking, bool is_written) {
        std::uint64_t number = 0;
        Explorer::current().await(
            [&] { return (number = left[request].load(Order::acquire)) != 0; });
        --number;
        const bool is_taken =
            taking == Taking::claims ? Book::claim(places, number) : is_open(number);
        if (is_taken) {
            buffers[request].write(sent);
            Book::release(places, number, is_written);
        }
        // Only so that the receiver knows when to look.
        Explorer::current().fence();
        ended[request].store(is_taken && is_written ? 2 : 1, Order::release);
        return is_taken;
    }

    /// One that is given up while its sender takes it, and one behind it that is waited for, of the
    /// same place.
    void send(Taking taking, bool is_written) {
        serve(0, taking, is_written);
        serve(1, taking, true);
    }
    void receive() {
        Book book(places);
        const std::int64_t first = leave(book, 0);
        abandon(book, 0, first);
        const std::int64_t second = leave(book, 1);
        if (second == first) Explorer::current().note_wrong("a number was used twice");
        take(book, 1, second);
    }

    std::int64_t leave(Book& book, std::size_t request) {
        const std::int64_t number = book.open_one();
        left[request].store(static_cast<std::uint64_t>(number) + 1, Order::release);
        return number;
    }

    /// As Peer::abandon() does: from then on the buffer is the program's, which writes to it.
    void abandon(Book& book, std::size_t request, std::int64_t number) {
        if (!book.withdraw(number)) {
            Explorer::current().await([&] { return !book.is_claimed(number); });
            book.close(number);
        }
        buffers[request].write(own);
        await_end(request);
        expect(request, own, "a buffer was written to that had been given up");
    }

    /// As Peer::finish_written() does, which the sender's record tells.
    void take(Book& book, std::size_t request, std::int64_t number) {
        if (await_end(request) != 2) return;
        expect(request, sent, "what was written had not arrived");
        book.close(number);
    }

    std::uint32_t await_end(std::size_t request) {
        std::uint32_t how = 0;
        Explorer::current().await([&] { return (how = ended[request].load(Order::acquire)) != 0; });
        return how;
    }
    void expect(std::size_t request, std::uint64_t value, const char* otherwise) {
        if (buffers[request].read() != value) {
            Explorer::current().note_wrong(otherwise);
        }
    }
    bool is_open(std::uint64_t number) const {
        const std::uint64_t place = Book::place_of(number);
        const std::uint64_t use = number / memory::most_requests;
        return places[place].load(Order::acquire) == (use << 2 | Book::open);
    }
};

template <typename Sync>
std::string explore_requests(Taking taking, bool is_written,
                             const Weaken<Requests<Sync>>& weaken = {}) {
    return explore_ranks<Requests<Sync>>(
        2,
        [=](Requests<Sync>& requests, std::size_t rank) {
            rank == 0 ? requests.send(taking, is_written) : requests.receive();
        },
        weaken);
}

TEST(OrdersOfRequests, WhatIsGivenUpIsNotWrittenTo) {
    EXPECT_EQ(explore_requests<ExploredSync<>>(Taking::claims, true), "");
    EXPECT_EQ(explore_requests<ExploredSync<>>(Taking::claims, false), "");
}

TEST(OrdersOfRequests, WritingWithoutAClaimWouldBeFound) {
    const std::string wrong = explore_requests<ExploredSync<>>(Taking::only_looks, true);
    EXPECT_TRUE(wrong.starts_with("a race on data")) << wrong;
}

TEST(OrdersOfRequests, AnEndWithoutReleaseOrAcquireWouldBeFound) {
    using Explored = Requests<ExploredSync<>>;
    for (const Order order : {Order::release, Order::acquire}) {
        for (const bool is_written : {true, false}) {
            const std::string wrong = explore_requests<ExploredSync<>>(
                Taking::claims, is_written, [=](const Explored& requests) {
                    return std::vector<Explorer::Weakened>{{requests.places.data(), order}};
                });
            EXPECT_TRUE(wrong.starts_with("a race on data")) << wrong;
        }
    }
}

/// How a rank says that it has begun to send: as it must, or by a load and a store.
enum class Beginning : std::uint8_t { fetches_and_sets, loads_and_stores };

/// Ranks that have never sent anything begin to, and one that has nothing to do goes to sleep.
template <typename Sync>
struct Talkers {
    struct Content {
        ExploredData value;
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
        fifo.claim()->value.write(100 + rank);
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
        if (record->value.read() != 100 + rank) {
            Explorer::current().note_wrong("a record is not what was written");
        }
        return true;
    }
};

template <typename Sync>
std::string explore_talkers(Beginning beginning) {
    return explore_ranks<Talkers<Sync>>(3, [=](Talkers<Sync>& talkers, std::size_t rank) {
        rank < Talkers<Sync>::senders ? talkers.talk(rank, beginning) : talkers.hear_all();
    });
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

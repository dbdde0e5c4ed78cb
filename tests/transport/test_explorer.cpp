// The explorer itself, by what is known of small programs: all that the C++ memory model allows
// them to read, and nothing else.
#include <array>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "transport/explored_sync.hpp"

namespace tasuki::test {
namespace {

using memory::Order;
using Outcomes = std::set<std::string>;

/// Two words and some data, and what each thread has read.
struct Litmus {
    ExploredSync<>::Word<std::uint64_t> x, y;
    ExploredData data;
    std::array<std::string, 4> read;  // [thread]
};

void note(std::string& read, std::uint64_t value) {
    read += static_cast<char>('0' + value);
}

using Act = std::function<void(Litmus&, std::string& read)>;

/// All that the threads can have read at the end, or what is wrong.
Outcomes outcomes_of(const std::vector<Act>& acts) {
    Explorer explorer;
    Outcomes outcomes;
    const std::string wrong = explorer.explore([&] {
        auto state = std::make_shared<Litmus>();
        Explorer::Scene scene;
        for (std::size_t i = 0; i < acts.size(); ++i) {
            scene.threads.push_back([=, &acts] { acts[i](*state, state->read[i]); });
        }
        scene.wrong = [=, &outcomes] {
            std::string all;
            for (const std::string& read : state->read) all += read;
            outcomes.insert(all);
            return std::string();
        };
        scene.state = state;
        return scene;
    });
    return wrong.empty() ? outcomes : Outcomes{wrong.substr(0, wrong.find(','))};
}

TEST(Explorer, AStoreTakesEffectBehindALaterLoadUnlessAFenceIsBetween) {
    const auto explored = [](bool fences) {
        const auto act = [=](auto& own, const auto& others, std::string& read) {
            own.store(1, Order::release);
            if (fences) Explorer::current().fence();
            note(read, others.load(Order::acquire));
        };
        return outcomes_of({[=](Litmus& s, std::string& read) { act(s.x, s.y, read); },
                            [=](Litmus& s, std::string& read) { act(s.y, s.x, read); }});
    };
    EXPECT_EQ(explored(false), (Outcomes{"00", "01", "10", "11"}));
    EXPECT_EQ(explored(true), (Outcomes{"01", "10", "11"}));
}

TEST(Explorer, AMessageIsSeenWithItsFlagOnlyIfThatIsReleasedAndAcquired) {
    const auto explored = [](Order store, Order load, bool fences = false) {
        return outcomes_of({[=](Litmus& s, std::string& /*read*/) {
                                s.x.store(1, Order::relaxed);
                                if (fences) Explorer::current().fence();
                                s.y.store(1, store);
                            },
                            [=](Litmus& s, std::string& read) {
                                note(read, s.y.load(load));
                                if (fences) Explorer::current().fence();
                                note(read, s.x.load(Order::relaxed));
                            }});
    };
    const Outcomes in_order{"00", "01", "11"};
    const Outcomes all{"00", "01", "10", "11"};
    EXPECT_EQ(explored(Order::release, Order::acquire), in_order);
    EXPECT_EQ(explored(Order::relaxed, Order::acquire), all);
    EXPECT_EQ(explored(Order::release, Order::relaxed), all);
    EXPECT_EQ(explored(Order::relaxed, Order::relaxed, true), in_order);
}

TEST(Explorer, AllSeeTheStoresOfOneWordInOneOrder) {
    const Act look_twice = [](Litmus& s, std::string& read) {
        note(read, s.x.load(Order::relaxed));
        note(read, s.x.load(Order::relaxed));
    };
    const Act store_two = [](Litmus& s, std::string& /*read*/) {
        s.x.store(1, Order::relaxed);
        s.x.store(2, Order::relaxed);
    };
    EXPECT_EQ(outcomes_of({store_two, look_twice}), (Outcomes{"00", "01", "02", "11", "12", "22"}));
    const auto store = [](std::uint64_t value) {
        return [=](Litmus& s, std::string& /*read*/) { s.x.store(value, Order::relaxed); };
    };
    const Outcomes of_two = outcomes_of({store(1), store(2), look_twice, look_twice});
    EXPECT_TRUE(of_two.contains("1212"));
    EXPECT_TRUE(of_two.contains("2121"));
    EXPECT_FALSE(of_two.contains("1221"));
}

TEST(Explorer, StoresOfTwoAreSeenInTwoOrdersUnlessFencesAreBetweenTheLoads) {
    const auto explored = [](bool fences) {
        const auto look = [=](const auto& first, const auto& second, std::string& read) {
            note(read, first.load(Order::acquire));
            if (fences) Explorer::current().fence();
            note(read, second.load(Order::acquire));
        };
        return outcomes_of({[](Litmus& s, std::string& /*read*/) { s.x.store(1, Order::release); },
                            [](Litmus& s, std::string& /*read*/) { s.y.store(1, Order::release); },
                            [=](Litmus& s, std::string& read) { look(s.x, s.y, read); },
                            [=](Litmus& s, std::string& read) { look(s.y, s.x, read); }});
    };
    EXPECT_EQ(explored(false).size(), 16U);
    EXPECT_EQ(explored(true).size(), 15U);
    EXPECT_FALSE(explored(true).contains("1010"));
}

TEST(Explorer, NothingComesBetweenTheTwoHalvesOfAReadModifyWrite) {
    const auto set = [](std::uint64_t bit) {
        return [=](Litmus& s, std::string& read) { note(read, s.x.fetch_or(bit)); };
    };
    EXPECT_EQ(outcomes_of({set(1), set(2)}), (Outcomes{"01", "20"}));
    const auto replace = [](std::uint64_t value) {
        return [=](Litmus& s, std::string& read) { note(read, s.x.replace(0, value) ? 1 : 0); };
    };
    EXPECT_EQ(outcomes_of({replace(1), replace(2)}), (Outcomes{"01", "10"}));
}

TEST(Explorer, AStoreMayTakeEffectBehindAReadModifyWriteThatSeesALaterOne) {
    const auto explored = [](Order store) {
        return outcomes_of({[=](Litmus& s, std::string& /*read*/) {
                                s.x.store(1, Order::relaxed);
                                s.y.store(1, store);
                            },
                            [](Litmus& s, std::string& read) {
                                note(read, s.y.load(Order::acquire));
                                note(read, s.x.exchange(2));
                                note(read, s.x.load(Order::relaxed));
                            }});
    };
    EXPECT_TRUE(explored(Order::relaxed).contains("101"));
    EXPECT_EQ(explored(Order::release), (Outcomes{"001", "002", "012", "112"}));
}

TEST(Explorer, AReadModifyWriteIsNoFullFence) {
    const auto act = [](auto& own, const auto& others, std::string& read) {
        own.exchange(1);
        note(read, others.load(Order::acquire));
    };
    EXPECT_TRUE(outcomes_of({[=](Litmus& s, std::string& read) { act(s.x, s.y, read); },
                             [=](Litmus& s, std::string& read) { act(s.y, s.x, read); }})
                    .contains("00"));
}

TEST(Explorer, WhatIsReleasedIsPassedOnByAReadModifyWrite) {
    EXPECT_EQ(outcomes_of({[](Litmus& s, std::string& /*read*/) {
                               s.data.write(7);
                               s.x.store(1, Order::release);
                           },
                           [](Litmus& s, std::string& /*read*/) { s.x.fetch_or(2); },
                           [](Litmus& s, std::string& read) {
                               Explorer::current().await(
                                   [&] { return (s.x.load(Order::acquire) & 1) != 0; });
                               note(read, s.data.read());
                           }}),
              (Outcomes{"7"}));
}

TEST(Explorer, ARaceOnDataIsFoundWhicheverComesFirst) {
    const Act write = [](Litmus& s, std::string& /*read*/) {
        s.data.write(1);
        s.x.store(1, Order::relaxed);
    };
    const Act read_behind = [](Litmus& s, std::string& /*read*/) {
        Explorer::current().await([&] { return s.x.load(Order::acquire) == 1; });
        s.data.read();
    };
    const Act read_before = [](Litmus& s, std::string& /*read*/) {
        s.data.read();
        s.x.store(1, Order::relaxed);
    };
    const Act write_behind = [](Litmus& s, std::string& /*read*/) {
        Explorer::current().await([&] { return s.x.load(Order::acquire) == 1; });
        s.data.write(1);
    };
    const Outcomes race{"a race on data"};
    EXPECT_EQ(outcomes_of({write, read_behind}), race);
    EXPECT_EQ(outcomes_of({read_before, write_behind}), race);
    EXPECT_EQ(outcomes_of({write, write_behind}), race);
    EXPECT_EQ(outcomes_of({read_before, read_behind}), (Outcomes{""}));
}

TEST(Explorer, WhoAwaitsWhatDoesNotComeIsFound) {
    const Act set = [](Litmus& s, std::string& /*read*/) { s.x.store(1, Order::relaxed); };
    const auto await = [](std::uint64_t value) {
        return [=](Litmus& s, std::string& /*read*/) {
            Explorer::current().await([&] { return s.x.load(Order::relaxed) == value; });
        };
    };
    EXPECT_EQ(outcomes_of({set, await(1)}), (Outcomes{""}));
    EXPECT_EQ(outcomes_of({set, await(2)}), (Outcomes{"a thread waits for ever"}));
    EXPECT_EQ(outcomes_of({set, await(0)}), (Outcomes{"a thread waits for ever"}));
}

// The memory model allows it, and aarch64 does it.
TEST(Explorer, ThatAStoreOvertakesALoadIsNotTried) {
    const auto act = [](const auto& others, auto& own, std::string& read) {
        note(read, others.load(Order::relaxed));
        own.store(1, Order::relaxed);
    };
    EXPECT_EQ(outcomes_of({[=](Litmus& s, std::string& read) { act(s.y, s.x, read); },
                           [=](Litmus& s, std::string& read) { act(s.x, s.y, read); }}),
              (Outcomes{"00", "01", "10"}));
}

}  // namespace
}  // namespace tasuki::test

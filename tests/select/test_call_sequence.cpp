#include <gtest/gtest.h>
#include <string>

#include "select/call_sequence.hpp"

namespace tasuki {
namespace {

/// A letter for the candidate, a capital if timed, ! after the call of the agreement.
std::string play(std::vector<Slot> slots, int calls) {
    CallSequence sequence;
    sequence.start(std::move(slots));
    std::string text;
    for (int i = 0; i < calls; ++i) {
        const CallPlan plan = sequence.next();
        text += static_cast<char>((plan.timed ? 'A' : 'a') + static_cast<int>(plan.candidate));
        if (plan.agree) text += '!';
    }
    return text;
}

TEST(CallSequence, DropsTimesAndAgrees) {
    EXPECT_EQ(play({{0, 4, 1, 1}}, 4), "aAAA!");
    EXPECT_EQ(play({{0, 3, 0, 0}, {1, 2, 0, 1}, {2, 3, 1, 1}}, 8), "aaaBBcCC!");
    EXPECT_EQ(play({{1, 8, 1, 3}}, 8), "bBbbbBbB!");
    EXPECT_EQ(play({{1, 7, 1, 3}}, 7), "bBbbbBb!");
    EXPECT_EQ(play({{2, 1, 0, 1}}, 1), "C!");
    EXPECT_EQ(play({{2, 0, 0, 1}, {1, 2, 0, 0}}, 2), "bb!") << "an empty slot is none";
}

/// Whatever pattern of calls a program makes, and whichever of them a window begins with.
TEST(CallSequence, TimesAllOfAPattern) {
    constexpr std::uint32_t windows = 200, samples = 16;
    for (std::uint32_t stride = 1; stride <= 12; ++stride) {
        for (std::uint32_t period = 2; period <= 6; ++period) {
            CallSequence sequence;
            std::vector<std::uint32_t> timed(period);
            std::uint32_t call = 0;
            for (std::uint32_t window = 0; window < windows; ++window) {
                sequence.start({{0, stride * samples, 0, stride}});
                for (std::uint32_t i = 0; i < stride * samples; ++i, ++call) {
                    timed[call % period] += sequence.next().timed ? 1 : 0;
                }
            }
            for (const std::uint32_t times : timed) {
                EXPECT_NEAR(times, windows * samples / period, windows * samples / period / 10)
                    << "of " << period << ", one in " << stride;
            }
        }
    }
}

/// One that goes by what is_quiet() and only_times() say of a candidate does what next() says.
TEST(CallSequence, PassesAsNextWouldGo) {
    const std::vector<std::vector<Slot>> sequences = {{{1, 7, 1, 3}, {0, 9, 2, 4}},
                                                      {{1, 7, 2, 1}, {0, 9, 0, 1}},
                                                      {{0, 1, 0, 0}, {1, 1, 0, 1}, {0, 30, 0, 7}},
                                                      {{1, 12, 4, 1, 4}, {1, 8, 0, 1, 2}}};
    for (const std::vector<Slot>& slots : sequences) {
        for (std::uint32_t candidate = 0; candidate < 2; ++candidate) {
            CallSequence sequence;
            CallSequence other;
            for (int repetition = 0; repetition < 3; ++repetition) {
                sequence.start(slots);
                other.start(slots);
                for (bool is_over = false; !is_over;) {
                    const CallPlan plan = other.next();
                    const bool is_quiet = sequence.is_quiet(candidate);
                    const bool only_times = sequence.only_times(candidate);
                    if (is_quiet || only_times) {
                        EXPECT_EQ(plan.candidate, candidate);
                        EXPECT_EQ(plan.timed, only_times);
                        EXPECT_NE(is_quiet, only_times);
                        EXPECT_FALSE(plan.agree);
                        is_quiet ? sequence.pass() : sequence.pass_timed();
                    } else {
                        const CallPlan same = sequence.next();
                        EXPECT_EQ(same.candidate, plan.candidate);
                        EXPECT_EQ(same.timed, plan.timed);
                        EXPECT_EQ(same.agree, plan.agree);
                    }
                    is_over = plan.agree;
                }
            }
        }
    }
}

TEST(CallSequence, CountsItsTimedCalls) {
    for (std::uint32_t calls = 1; calls < 40; ++calls) {
        for (std::uint32_t drop = 0; drop < 5; ++drop) {
            for (std::uint32_t stride = 0; stride < 6; ++stride) {
                CallSequence sequence;
                const Slot slot{0, calls, drop, stride};
                sequence.start({slot});
                std::uint32_t timed = 0;
                for (std::uint32_t i = 0; i < calls; ++i) {
                    const CallPlan plan = sequence.next();
                    timed += plan.timed ? 1 : 0;
                    EXPECT_EQ(plan.agree, i + 1 == calls);
                }
                EXPECT_EQ(timed, slot.timed_calls()) << calls << " " << drop << " " << stride;
            }
        }
    }
}

/// All but the first of a slot, which may be another candidate's.
TEST(CallSequence, KnowsBeforehandWhichCallsAreOnlyTimed) {
    CallSequence sequence;
    sequence.start({{1, 7, 0, 3}, {0, 9, 0, 1}});
    for (int call = 0; call < 16; ++call) {
        const bool only_times[] = {sequence.only_times(0), sequence.only_times(1)};
        const CallPlan plan = sequence.next();
        const bool is_first = call == 0 || call == 7;
        for (std::uint32_t candidate = 0; candidate < 2; ++candidate) {
            const bool is_it = plan.candidate == candidate && plan.timed && !plan.agree;
            EXPECT_EQ(only_times[candidate], is_it && !is_first) << "call " << call;
        }
    }
}

}  // namespace
}  // namespace tasuki

#include <gtest/gtest.h>

#include "report/call_history.hpp"

namespace tasuki::report {
namespace {

void add(CallHistory& history, std::uint32_t algorithm, int calls, std::uint64_t ticks = 1) {
    for (int call = 0; call < calls; ++call) history.add(algorithm, ticks);
}

TEST(CallHistory, SpansAreWhatRanInARow) {
    CallHistory history;
    add(history, 0, 4);
    add(history, 1, 2);
    add(history, 2, 30);
    EXPECT_EQ(history.spans(), (std::vector<Span>{{1, 4, 0}, {5, 2, 1}, {7, 30, 2}}));
}

TEST(CallHistory, AShortInterludeIsLeftOut) {
    CallHistory history;
    add(history, 0, 1000);
    add(history, 1, 2);
    add(history, 0, 1000);
    EXPECT_EQ(history.spans(), (std::vector<Span>{{1, 2002, 0}}));
    add(history, 1, 500);
    EXPECT_EQ(history.spans(), (std::vector<Span>{{1, 2002, 0}, {2003, 500, 1}}));
}

TEST(CallHistory, SeveralShortInterludesInARowAreLeftOutTogether) {
    CallHistory history;
    add(history, 0, 1000);
    for (std::uint32_t algorithm = 1; algorithm < 4; ++algorithm) add(history, algorithm, 2);
    add(history, 0, 10);
    ASSERT_EQ(history.spans().size(), 1U);
    EXPECT_EQ(history.spans()[0].calls, 1016U);
}

TEST(CallHistory, SpansHoldAllCallsWhateverComes) {
    CallHistory history;
    for (int round = 0; round < 100000; ++round) {
        add(history, static_cast<std::uint32_t>(round % 3), 1 + round % 7);
    }
    EXPECT_LE(history.spans().size(), CallHistory::most_spans);
    std::uint64_t next = 1;
    for (const Span& span : history.spans()) {
        EXPECT_EQ(span.first, next);
        next += span.calls;
    }
    EXPECT_EQ(next, history.calls() + 1);
}

TEST(CallHistory, PointsStandForMoreAndMoreCalls) {
    CallHistory history;
    add(history, 0, 1, 50);
    add(history, 0, 99999, 10);
    const std::vector<TimePoint> points = history.points(0.5);
    EXPECT_EQ(points[0].first, 1U);
    EXPECT_EQ(points[0].mean, 25);
    EXPECT_EQ(points[20].mean, 5);
    EXPECT_LT(points.size(), 8U * 17);
    EXPECT_GT(points.back().first, 80000U);
    EXPECT_EQ(points.back().mean, 5);
}

}  // namespace
}  // namespace tasuki::report

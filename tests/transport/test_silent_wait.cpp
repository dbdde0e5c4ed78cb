// Waits for what rings no bell.
#include <ctime>
#include <gtest/gtest.h>

#include "transport/silent_wait.hpp"

namespace tasuki {
namespace {

double seconds_of(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

TEST(SilentWait, LooksOnceWhereAllIsThere) {
    int looks = 0;
    wait_in_silence(0, [&] { return ++looks == 1; });
    EXPECT_EQ(looks, 1);
}

TEST(SilentWait, EndsWithTheFirstLookThatFindsSomething) {
    for (const int last : {2, 63, 64, 65, 66, 1000}) {
        int looks = 0;
        wait_in_silence(0, [&] { return ++looks == last; });
        EXPECT_EQ(looks, last);
    }
}

TEST(SilentWait, LeavesTheCoreWhenItLasts) {
    constexpr double length = 0.4;
    const double began = seconds_of(CLOCK_MONOTONIC);
    const double before = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    wait_in_silence(0, [&] { return seconds_of(CLOCK_MONOTONIC) > began + length; });
    // A twentieth is promised after the first millisecond.
    EXPECT_LT(seconds_of(CLOCK_THREAD_CPUTIME_ID) - before, 0.1 * length);
}

TEST(SilentWait, PassesOnWhatALookThrows) {
    int looks = 0;
    const auto fails = [&]() -> bool {
        if (++looks < 100) return false;
        throw looks;
    };
    EXPECT_THROW(wait_in_silence(0, fails), int);
    EXPECT_EQ(looks, 100);
}

}  // namespace
}  // namespace tasuki

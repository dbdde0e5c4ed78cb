// Waits for what rings no bell.
#include <ctime>
#include <gtest/gtest.h>
#include <utility>

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

// Open MPI takes what has come on a node in every eighth look only, and tells of it in the next.
// With one look after each nap a message was eight naps late, and the peers that waited for the
// next one napped as long: a ring of 64 B on 8 ranks and 2 cores took over 10 ms a call in place of
// 0.04.
class EveryEighthLook : public testing::TestWithParam<int> {};

TEST_P(EveryEighthLook, FindsWhatCameInOneNap) {
    constexpr double comes_after = 5e-3;
    constexpr double shortest_nap = 50e-6;
    const double began = seconds_of(CLOCK_MONOTONIC);
    double last = began;
    int looks = GetParam();
    int naps_since_it_came = 0;
    bool is_taken = false;
    wait_in_silence(0, [&] {
        const double now = seconds_of(CLOCK_MONOTONIC);
        const double before = std::exchange(last, now);
        if (before > began + comes_after && now - before > shortest_nap) ++naps_since_it_came;
        const bool takes = ++looks % 8 == 0 && now > began + comes_after;
        return std::exchange(is_taken, is_taken || takes);
    });
    EXPECT_LT(naps_since_it_came, 4) << "one, and the time may have been somebody else's";
}

INSTANTIATE_TEST_SUITE_P(SilentWait, EveryEighthLook, testing::Range(0, 8));

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

// What a rank takes in its last look before it sleeps may be what keeps it from sleeping.
#include <functional>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <utility>

#include "transport/memory/companion.hpp"
#include "transport/memory/waiting.hpp"
#include "transport/one_thread.hpp"

namespace tasuki::test {
namespace {

using memory::seconds_now;

/// How often this thread has left its core to wait. A clock would also tell of the times when it
/// was put aside, and of how slow a sanitizer is.
long sleeps_of_thread() {
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw;
}

/// Does something at the last moment before a rank sleeps that has waited for `awake` seconds.
class ComesLate : public memory::Companion {
  public:
    ComesLate(double awake, std::function<void()> act) : awake_(awake), act_(std::move(act)) {}

    void begin() { began_ = seconds_now(); }
    bool progress() override { return false; }
    double pause() const override { return 0; }
    double seconds_awake() const override {
        if (seconds_now() < began_ + awake_) return awake_;
        act_();
        return 0;
    }

  private:
    double awake_;
    std::function<void()> act_;
    double began_ = 0;
};

// The answer to an offer finds no room; the peer makes some while the other is about to sleep, and
// wakes only those of which it knows that they wait for that.
TEST(LastLook, WhoComesToWaitForRoomInItDoesNotSleep) {
    constexpr auto tries = static_cast<int>(memory::most_unsettled / memory::cells_of_box) - 1;
    constexpr double awake = 0.01;
    OneThread ranks(2);
    send_in_order(ranks, 8, true);
    Transfer* offered = nullptr;
    long sleeps_before = 0;
    ComesLate companion(awake, [&] {
        if (offered != nullptr) return;
        offered = &ranks.send_synchronously(1, 0, 7, content(8, 1));
        ranks[1].progress();  // rings for it before the other sleeps
        const auto one = content(8, 2);
        while (ranks[0].send_now(1, 99, one.data(), one.size())) continue;
        sleeps_before = sleeps_of_thread();
    });
    ranks[0].accompany(companion);
    int without_a_nap = 0;
    for (int i = 0; i < tries; ++i) {
        offered = nullptr;
        Transfer& receive = ranks.receive(1, 0, 7, 8);
        companion.begin();
        const auto is_over = [&] {
            if (offered == nullptr) return false;
            ranks[1].progress();
            return offered->is_done();
        };
        ranks[0].wait(is_over, receive.operation);
        without_a_nap += sleeps_of_thread() == sleeps_before ? 1 : 0;
    }
    // The system may have a thread wait for something else now and then.
    EXPECT_GT(without_a_nap, tries / 2);
}

}  // namespace
}  // namespace tasuki::test

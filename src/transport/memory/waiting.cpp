#include "transport/memory/waiting.hpp"

#include <algorithm>
#include <ctime>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tasuki::memory {

namespace {

constexpr double micro = 1e-6;

/// One that takes more gave it to somebody who does not soon wait as we do.
constexpr double long_yield = 500 * micro;
/// So many yields without company: the core is ours. Few, because a rank that yields where it need
/// not makes its peers wait, who then do so, too, and a program that starts meets its launcher.
constexpr int yields_alone = 8;
/// So many with company make ranks that need not share cores believe that they do, if there were
/// never so many quick ones between: single yields are long because of interrupts, one in
/// thousands.
constexpr int yields_in_company = 3;
constexpr int quick_between_these = 16;
/// So many in a wait where ranks share cores: yielding does not let run whom we wait for. The
/// system returns at once from a yield of one that has had less than its share, while those that
/// have had more wait for the core.
constexpr int most_vain_yields = 8;
/// So many waits in sequence that ended while yields were quick, with no slow one and no sleep
/// after vain ones between: there are cores for all that run, whatever was counted. Peers that
/// share the core would have been met in one of them.
constexpr int most_waits_alone = 256;
/// Nobody spins or yields longer than this: a wait beyond is no part of a lively exchange.
constexpr double most_awake = 500 * micro;
/// The same where yielding lets peers do what is waited for.
constexpr double most_awake_in_company = 900 * micro;
/// Spinning where peers want the core: they may be running on another and be about to answer.
constexpr double spin_in_company = 0;
/// How long one keeps to sleeping after a stranger was met, from the first time, which may be a
/// hiccup of the machine, to often.
constexpr double shortest_stranger = 0.002;
constexpr double longest_stranger = 2.0;
/// A stranger who is met again within this time after that, or within as long, has stayed.
constexpr double stranger_memory = 0.05;

/// Of naps: a share of what the wait has taken, from so many seconds to so many.
constexpr double share_of_wait = 0.125;
constexpr double shortest_nap = 50 * micro;
constexpr double longest_nap = 1e-3;

}  // namespace

void Waiting::begin(double now, double usual) {
    began_ = last_look_ = now;
    usual_ = usual;
    set_limits(now);
}

void Waiting::set_limits(double now) {
    vain_yields_ = 0;
    if (has_stranger(now)) {
        spin_until_ = now + 2 * spin_in_company;
        yield_until_ = spin_until_;
    } else if (is_crowded_) {
        spin_until_ = now + spin_in_company;
        yield_until_ = now + most_awake_in_company;
    } else {
        // Long waits are not worth the energy: what sleeping adds to them is little.
        const bool is_long = usual_ > most_awake;
        spin_until_ = now + (is_long ? 20 * micro : std::clamp(4 * usual_, 50 * micro, most_awake));
        yield_until_ = now + most_awake;
    }
}

Pause Waiting::next(double now) {
    const double since_look = now - last_look_;
    last_look_ = now;
    if (now < spin_until_) return Pause::spin;
    // Between two looks is a spin of a microsecond: we were put aside.
    if (since_look > long_yield) meet_stranger(now);
    const bool gives_way = !shares_cores_ || vain_yields_ < most_vain_yields;
    if (now < yield_until_ && !has_stranger(now) && gives_way) return Pause::yield;
    if (!gives_way) waits_alone_ = 0;
    return Pause::sleep;
}

void Waiting::note_yield(double now, double seconds) {
    last_look_ = now;
    if (seconds > long_yield) {
        meet_stranger(now);
    } else if (seconds > quick_yield_) {
        if (quick_yields_ >= quick_between_these) slow_yields_ = 0;
        quick_yields_ = vain_yields_ = waits_alone_ = 0;
        if (!shares_cores_) {
            slow_yields_ = std::min(slow_yields_ + 1, yields_in_company);
            if (slow_yields_ < yields_in_company) return;
        }
        is_crowded_ = true;
        shares_cores_ = exceed_cores_;
        if (spin_until_ > now) spin_until_ = now;
    } else {
        vain_yields_ = std::min(vain_yields_ + 1, most_vain_yields);
        quick_yields_ = std::min(quick_yields_ + 1, quick_between_these);
        if (quick_yields_ >= yields_alone) is_crowded_ = shares_cores_ || meets_only_peers_;
    }
}

bool Waiting::is_long(double seconds) {
    return seconds > long_yield;
}

void Waiting::note_busy_peers(double now) {
    last_look_ = now;
    is_crowded_ = true;
    shares_cores_ = exceed_cores_;
    quick_yields_ = waits_alone_ = 0;
    if (spin_until_ > now) spin_until_ = now;
}

void Waiting::note_wake(double now) {
    last_look_ = now;
    set_limits(now);
}

void Waiting::end(double now, float& usual) {
    usual += 0.25F * (static_cast<float>(now - began_) - usual);
    if (shares_cores_ && vain_yields_ > 0 && ++waits_alone_ == most_waits_alone) {
        shares_cores_ = is_crowded_ = false;
    }
}

void Waiting::meet_stranger(double now) {
    if (meets_only_peers_) return note_busy_peers(now);
    // Met again soon after we stopped to keep away: keep away for longer.
    const bool is_again = now < stranger_until_ + std::max(stranger_pause_, stranger_memory);
    stranger_pause_ =
        is_again ? std::min(2 * stranger_pause_, longest_stranger) : shortest_stranger;
    stranger_until_ = now + stranger_pause_;
}

double nap_seconds(double waited) {
    return std::clamp(share_of_wait * waited, shortest_nap, longest_nap);
}

double quick_yield_of(double least_yield, double least_call) {
    constexpr double above_the_least = 2.5;
    constexpr double above_a_call = 10;
    const double most = std::max(usual_quick_yield, above_a_call * least_call);
    return std::clamp(above_the_least * least_yield, usual_quick_yield, most);
}

double quick_yield_here() {
    static const double found = [] {
        constexpr int tries = 16;
        double least_yield = 1;
        double least_call = 1;
        for (int i = 0; i < tries; ++i) {
            const double began = seconds_now();
            syscall(SYS_getppid);
            const double between = seconds_now();
            sched_yield();
            const double ended = seconds_now();
            least_call = std::min(least_call, between - began);
            least_yield = std::min(least_yield, ended - between);
        }
        return quick_yield_of(least_yield, least_call);
    }();
    return found;
}

std::uint64_t nanoseconds_since(double began) {
    return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(1e9 * (seconds_now() - began)));
}

double seconds_now() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace tasuki::memory

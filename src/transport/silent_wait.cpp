#include "transport/silent_wait.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <ctime>
#include <sched.h>
#include <utility>

#include "transport/memory/sync.hpp"
#include "transport/memory/waiting.hpp"

namespace tasuki {

namespace {

using memory::Pause;
using memory::seconds_now;
using memory::Waiting;

/// A look of a host takes about 100 ns.
constexpr int most_looks_at_first = 64;
/// Where ranks share cores, between two yields.
constexpr int most_looks_in_company = 4;
/// Open MPI takes the messages of a node only in every eighth look, and tells of them in the next.
constexpr int looks_after_nap = 9;

/// What this thread knows of its cores. How many ranks share them is not told: with that, yields in
/// vain would lead to sleep, from which nobody wakes it.
struct Known {
    Waiting waiting{1, memory::count_cores(), memory::quick_yield_here()};
    float usual = 0;
};

Known& known() {
    thread_local Known mine;
    return mine;
}

std::atomic<bool> ranks_share_cores{false};

/// One where a stranger may be about: from how long a look takes one tells whether it is.
int looks_in_company() {
    return ranks_share_cores.load(std::memory_order_relaxed) ? most_looks_in_company : 1;
}

/// Set beside what is known, because to ask for it costs a look at whether it is there.
thread_local int looks = most_looks_at_first;

thread_local bool leaves_cores = false;
constexpr double nap_beside_others = 20e-6;

void nap(double seconds) {
    timespec left{};
    left.tv_nsec = std::lround(1e9 * seconds);
    nanosleep(&left, nullptr);
}

}  // namespace

int SilentWait::looks_at_first() {
    return looks;
}

void SilentWait::note_shared_cores() {
    ranks_share_cores.store(true, std::memory_order_relaxed);
}

void SilentWait::leave_cores_to_others() {
    leaves_cores = true;
}

SilentWait::SilentWait(std::uint64_t moving_bytes)
    : began_(seconds_now()), awake_until_(began_ + seconds_to_move(moving_bytes)) {
    Known& mine = known();
    if (ranks_share_cores.load(std::memory_order_relaxed)) mine.waiting.take_strangers_for_peers();
    mine.waiting.begin(began_, mine.usual);
}

SilentWait::~SilentWait() {
    known().waiting.end(seconds_now(), known().usual);
    looks = known().waiting.is_crowded() ? looks_in_company() : most_looks_at_first;
}

int SilentWait::pause() {
    if (leaves_cores) {
        nap(nap_beside_others);
        return 1;
    }
    Waiting& waiting = known().waiting;
    const double now = seconds_now();
    if (std::exchange(has_napped_, false)) waiting.note_slept_out(now);
    switch (waiting.next(now)) {
        case Pause::spin:
            memory::relax();
            break;
        case Pause::yield: {
            sched_yield();
            const double after = seconds_now();
            waiting.note_yield(after, after - now);
            break;
        }
        case Pause::sleep:
            if (now < awake_until_) {
                sched_yield();
            } else {
                nap(memory::nap_seconds(now - began_));
                has_napped_ = true;
            }
            waiting.note_slept_out(seconds_now());
    }
    return has_napped_ ? looks_after_nap : looks_in_company();
}

}  // namespace tasuki

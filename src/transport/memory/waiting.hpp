// How long to spin, when to yield, when to sleep: learned from the waits themselves.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "transport/memory/cores.hpp"

namespace tasuki::memory {

/// What a wait does next.
enum class Pause : std::uint8_t { spin, yield, sleep };

/// How long recent waits took, by size of the message. One for each peer.
class RecentWaits {
  public:
    /// Seconds that the last waits for messages of about so many bytes took.
    float& usual(std::uint64_t bytes) { return usual_[bytes <= 1024 ? 0 : bytes <= 65536 ? 1 : 2]; }

  private:
    std::array<float, 3> usual_{};
};

/// Of a yield that found nobody, on systems where it costs as usual: half a microsecond. Seconds.
inline constexpr double usual_quick_yield = 1.2e-6;

/// What a rank has learned of the cores that it runs on. It tells from how long a yield takes:
/// - nobody else wanted the core: it costs half a microsecond; spinning is best;
///   where ranks are known to share cores the yield has not let peers run that want to, and
///   sleeping is best;
/// - peers ran in between and soon waited themselves: it takes some microseconds; yielding is best,
///   since spinning keeps the core from those that we wait for;
/// - a stranger ran until its time was up, which is milliseconds: sleeping is best. One that sleeps
///   uses little of its share, so that the system lets it run as soon as it is woken.
///
/// Spinning tells, too: one whose clock jumps has been put aside for a stranger.
///
/// Times are seconds; `now` is any clock that only goes forward. There is no clock in here, so that
/// tests are their own.
class Waiting {
  public:
    /// `ranks` of a node on its cores, as far as is known before anything was learned. A yield that
    /// takes less than `quick_yield` seconds found nobody who wanted the core.
    Waiting(double ranks, Cores cores, double quick_yield = usual_quick_yield)
        : quick_yield_(quick_yield),
          exceed_cores_(ranks > cores.present),
          shares_cores_(exceed_cores_),
          is_crowded_(ranks > cores.usable) {}

    /// Whoever takes the core for long is a peer that waits busily: who sleeps is not woken here,
    /// and a stranger cannot be told from such peers. Quick yields do not tell that no peer wants
    /// the core, so looks are followed by one.
    void take_strangers_for_peers() {
        meets_only_peers_ = is_crowded_ = true;
        stranger_until_ = 0;
    }
    /// Begins a wait whose like usually takes `usual` seconds.
    void begin(double now, double usual);
    /// What to do at `now`, having looked and found nothing.
    Pause next(double now);
    /// A yield took so long.
    void note_yield(double now, double seconds);
    /// Whether one who was off its core for so long has most likely met a stranger, unless peers
    /// had something to do.
    static bool is_long(double seconds);
    /// Peers had something to do while this rank was off its core for long.
    void note_busy_peers(double now);
    /// The wait was woken from sleep, but what it waits for is not yet there: more comes soon.
    void note_wake(double now);
    /// Nobody woke the wait from sleep: nothing has changed.
    void note_slept_out(double now) { last_look_ = now; }
    /// The wait is over; `usual` learns of it.
    void end(double now, float& usual);

    bool is_crowded() const { return is_crowded_; }
    bool has_stranger(double now) const { return now < stranger_until_; }

  private:
    void meet_stranger(double now);
    void set_limits(double now);

    const double quick_yield_;
    const bool exceed_cores_;  // ranks the cores, as was counted
    bool meets_only_peers_ = false;
    bool shares_cores_;  // as it seems
    bool is_crowded_;
    int waits_alone_ = 0;   // in sequence
    int vain_yields_ = 0;   // in sequence, of this wait
    int quick_yields_ = 0;  // in sequence
    int slow_yields_ = 0;   // with few quick ones between
    double began_ = 0;
    double usual_ = 0;
    double last_look_ = 0;
    double spin_until_ = 0;
    double yield_until_ = 0;
    double stranger_until_ = 0;
    double stranger_pause_ = 0;
};

/// How long one may sleep who is not woken for what comes: an eighth of what the wait has taken,
/// from 50 us to 1 ms. Seconds.
double nap_seconds(double waited);

/// What a quick yield takes at the most where the quickest of some took `least_yield` seconds: 2.5
/// times that, but not less than usual. Peers may have had the core in all of them; so not more
/// than ten times `least_call`, which is what a system call takes that gives the core to nobody.
double quick_yield_of(double least_yield, double least_call);
/// The same as measured here, by 16 of each, when it was asked for first in this process.
double quick_yield_here();
/// Seconds, monotonic.
double seconds_now();
/// Not 0, which stands for unknown.
std::uint64_t nanoseconds_since(double began);

}  // namespace tasuki::memory

// Waiting for what rings no bell: the messages of the host MPI.
#pragma once

#include <cstdint>

namespace tasuki {

/// How long hosts that are slow, or whose ranks share cores, may take to move so many bytes, which
/// they do only while they are called.
inline double seconds_to_move(std::uint64_t bytes) {
    constexpr double slow_bytes_a_second = 0.5e9;
    return static_cast<double>(bytes) / slow_bytes_a_second;
}

/// The part of such a wait that asks for the time: spins, yields, then naps for an eighth of what
/// it has taken, between 50 us and 1 ms, so that it costs a few per cent of a core and is late by
/// an eighth at the most. A wait that lasts takes half a millisecond of a core, or 0.9 where others
/// want it, then next to nothing.
///
/// What threads learn of the cores that they run on (memory::Waiting) they learn each for itself.
class SilentWait {
  public:
    /// `moving_bytes`: what the host moves only in its calls. While that may take, who naps would
    /// keep it from going on.
    explicit SilentWait(std::uint64_t moving_bytes);
    ~SilentWait();
    SilentWait(const SilentWait&) = delete;
    SilentWait& operator=(const SilentWait&) = delete;

    /// Between looks that have found nothing. How often to look before the next one: after a nap
    /// as often as it takes that a host sees what has come in the meantime.
    int pause();

    /// How often this thread looks before it asks for the time: as many times as lively exchanges
    /// take, or a few times where others want its core.
    static int looks_at_first();

    /// Ranks share cores here. From now on whoever has one for long is taken for a rank that waits
    /// busily in its host, and not for a stranger from whom to keep away: if one naps, those who
    /// wait for it wait longer, and then nap, too.
    static void note_shared_cores();

    /// This thread naps from its first looks on: for those beside the threads of the program, which
    /// may have the only core.
    static void leave_cores_to_others();

  private:
    double began_;
    double awake_until_;
    bool has_napped_ = false;  // in the last pause
};

/// Calls `is_over` until it is true. The first looks follow each other as in the host's own wait.
/// `moving_bytes`: as SilentWait has them.
template <typename IsOver>
void wait_in_silence(std::uint64_t moving_bytes, IsOver&& is_over) {
    if (is_over()) return;
    for (int looks = SilentWait::looks_at_first(); looks > 1; --looks) {
        if (is_over()) return;
    }
    SilentWait wait(moving_bytes);
    for (;;) {
        for (int looks = wait.pause(); looks > 0; --looks) {
            if (is_over()) return;
        }
    }
}

}  // namespace tasuki

// Waiting for what rings no bell: the messages of the host MPI.
#pragma once

namespace tasuki {

/// The part of such a wait that asks for the time: spins, yields, then naps for an eighth of what
/// it has taken, between 50 us and 1 ms, so that it costs a few per cent of a core and is late by
/// an eighth at the most. A wait that lasts takes half a millisecond of a core, then next to
/// nothing.
///
/// What threads learn of the cores that they run on (memory::Waiting) they learn each for itself.
class SilentWait {
  public:
    SilentWait();
    ~SilentWait();
    SilentWait(const SilentWait&) = delete;
    SilentWait& operator=(const SilentWait&) = delete;

    /// Between two looks that have found nothing.
    void pause();

    /// How often this thread looks before it asks for the time: as many times as lively exchanges
    /// take, or once where others want its core.
    static int looks_at_first();

  private:
    double began_;
};

/// Calls `is_over` until it is true. The first looks follow each other as in the host's own wait.
template <typename IsOver>
void wait_in_silence(IsOver&& is_over) {
    if (is_over()) return;
    for (int looks = SilentWait::looks_at_first(); looks > 1; --looks) {
        if (is_over()) return;
    }
    SilentWait wait;
    while (!is_over()) wait.pause();
}

}  // namespace tasuki

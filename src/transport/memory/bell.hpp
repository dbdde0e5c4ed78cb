// How a rank sleeps until another has something for it, without losing a wake-up.
#pragma once

#include <cstdint>

#include "transport/memory/sync.hpp"

namespace tasuki::memory {

/// One for each rank, in memory that all ranks of the node see. A rank that has nothing to do says
/// that it will sleep, looks once more, and sleeps; one that has written something for it looks
/// whether it sleeps, and wakes it.
///
/// Both store one word and then load the other's, so both need a full fence between (Dekker): at
/// least one of them sees what the other stored. Either the sleeper finds the message in its last
/// look, or the writer finds the sleeper asleep; it takes the word back to 0 before it wakes, and
/// the kernel lets nobody sleep on a word that is not 1 any more.
template <typename Sync>
class BellOn {
  public:
    /// Sleeps until somebody rings, at most `seconds`. `look()` says whether something has come;
    /// then nobody sleeps. To be called by the owner only.
    template <typename Look>
    void sleep(Look&& look, double seconds) {
        asleep_.store(1, Order::relaxed);
        Sync::full_fence();
        if (!look()) Sync::sleep_on(asleep_, 1, seconds);
        asleep_.store(0, Order::relaxed);
    }

    /// Wakes the owner if it sleeps or is about to. What was written for it must have been followed
    /// by a full fence; one fence serves the bells of many ranks.
    void ring() {
        if (asleep_.load(Order::relaxed) == 0) return;
        // Of several that ring only one needs to call the kernel.
        if (asleep_.exchange(0) == 1) Sync::wake(asleep_);
    }

  private:
    typename Sync::template Word<std::uint32_t> asleep_;
};

using Bell = BellOn<Hardware>;

}  // namespace tasuki::memory

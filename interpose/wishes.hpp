// What each collective is to run by.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "algorithms/algorithm.hpp"
#include "calls/collectives.hpp"
#include "interpose/switches.hpp"
#include "select/grouping.hpp"

namespace tasuki::interpose {

/// One algorithm, or the one that is learnt to be the best while the program runs.
struct Wish : Choice {
    bool is_automatic = false;
    bool uses_model = true;           ///< candidates are put in order by prediction
    bool uses_kept_decisions = true;  ///< of earlier runs, and what is learnt is kept
    /// Percent of the time spent in the collective that learning may cost, if not what it usually
    /// may.
    std::optional<int> budget{};
    /// Which candidates are measured at all, if not those that usually are.
    std::optional<Grouping> grouping{};

    friend bool operator==(const Wish& a, const Wish& b);
};

extern const Wish native_wish;

/// Reads what parse_choice() reads, or auto[:model=0|1][,kept=0|1][,budget=1..100][,grouping=NAME].
/// Throws std::invalid_argument with a sentence that names the valid choices.
Wish parse_wish(std::string_view collective, std::string_view text);

/// Never nullptr; equal wishes are the same object, which lives as long as the process, so that
/// what is prepared for one can be kept under its address.
inline const Wish* current_wish(Collective collective) {
    const Wish* wish =
        switches[static_cast<std::size_t>(collective)].wish.load(std::memory_order_acquire);
    return wish == nullptr ? &native_wish : wish;
}

/// Whether something other than the host's own algorithms may run calls of `collective`.
bool is_asked_for(Collective collective);

/// Throws as parse_wish(); then nothing changes.
void set_wish(Collective collective, std::string_view text);

/// What is wished takes effect while `allowed`: from when MPI runs under Tasuki until it ends.
void allow_wishes(bool allowed);
bool wishes_are_allowed();

/// After the mode of reductions has changed, or whether they are checked.
void renew_switches();

}  // namespace tasuki::interpose

// Selection in virtual time: what it chooses, what it loses against an oracle, how fast it
// recovers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "arena/described_machine.hpp"
#include "arena/world.hpp"
#include "select/selection_settings.hpp"

namespace tasuki {

/// What happens when a world drifts.
enum class WorldDrift : std::uint8_t {
    winner_slower,  ///< what is in use takes longer by the factor, in odd worlds the next one too
    other_faster,   ///< another gets faster than what is in use by the factor: the next one, in odd
                    ///< worlds one from the middle
};

struct ArenaSettings {
    std::vector<std::int64_t> sizes;  ///< bytes of a block; empty: 64 B to 1 MiB, two an octave
    std::int32_t worlds = 4;          ///< machines drawn for each description and size
    std::uint32_t calls = 20000;      ///< of each key
    std::uint32_t drift_at = 20000;   ///< the call after which the drift runs begin to drift
    WorldDrift drift = WorldDrift::winner_slower;
    double drift_factor = 1.6;            ///< over 1
    std::uint32_t noise_calls = 1000000;  ///< of the runs that must learn nothing again
    std::int32_t noise_keys = 2;          ///< such runs of each machine
    std::uint64_t seed = 1;
    bool with_model = true;  ///< false: candidates come without predictions
    bool policies = false;   ///< whether the same calls are also made by each policy
    Noise noise = {};
    SelectionSettings selection = {};
};

/// What all calls of a key take, by what chooses the candidate: seconds, with what timing and
/// agreements took. If `drift_at` is below `calls`, the world drifts under all of them.
struct PolicySeconds {
    struct Fixed {
        std::string candidate;
        double seconds = 0;
    };

    std::vector<Fixed> fixed;  ///< each candidate for all calls, the host's own first
    double dynamic = 0;        ///< learnt, with the grouping of the settings
    double without_model = 0;  ///< learnt without predictions
    double warm = 0;           ///< begun with what a cold run before any drift has learnt
};

/// One key of one drawn machine.
struct ArenaRow {
    std::int64_t bytes = 0;
    std::int32_t world = 0;
    std::string best;    ///< the oracle's
    std::string chosen;  ///< in use after the last call
    double chosen_over_best = 1;
    double regret = 0;             ///< all that was spent, over the oracle's time, less 1
    double over_native = 1;        ///< all that was spent, over the host's own algorithm
    std::uint32_t settled_at = 0;  ///< the call from which on `chosen` was used
    std::uint32_t measured_candidates = 0;
    std::uint32_t drift_recovery_calls = 0;
    PolicySeconds policies;
};

struct ArenaSummary {
    std::string machine;
    std::int32_t ranks = 1;
    double best_chosen_fraction = 0;  ///< keys in which the best, or one within 3 %, is in use
    double regret = 0;                ///< mean over the keys
    double regret_max = 0;
    double over_native_max = 0;
    double over_native_geomean = 0;
    std::uint32_t drift_recovery_calls = 0;  ///< the longest
    double drift_recovery_median = 0;        ///< of the keys' calls
    std::uint32_t common_relearnings = 0;    ///< learnt again though everything changed alike
    std::uint32_t false_relearnings = 0;     ///< in the runs of pure noise
    std::vector<ArenaRow> rows;
};

/// Deterministic: equal arguments give equal bits.
ArenaSummary run_arena(const DescribedMachine& machine, const ArenaSettings& settings);

}  // namespace tasuki

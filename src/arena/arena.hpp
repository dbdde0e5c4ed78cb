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

struct ArenaSettings {
    std::vector<std::int64_t> sizes;  ///< bytes of a block; empty: 64 B to 1 MiB, two an octave
    std::int32_t worlds = 4;          ///< machines drawn for each description and size
    std::uint32_t calls = 20000;      ///< of each key
    std::uint32_t drift_at = 20000;   ///< the call after which the drift runs begin to drift
    double drift_factor = 1.6;
    std::uint32_t noise_calls = 1000000;  ///< of the runs that must learn nothing again
    std::int32_t noise_keys = 2;          ///< such runs of each machine
    std::uint64_t seed = 1;
    bool with_model = true;  ///< false: candidates come without predictions
    Noise noise = {};
    SelectionSettings selection = {};
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
    std::uint32_t common_relearnings = 0;    ///< learnt again though everything changed alike
    std::uint32_t false_relearnings = 0;     ///< in the runs of pure noise
    std::vector<ArenaRow> rows;
};

/// Deterministic: equal arguments give equal bits.
ArenaSummary run_arena(const DescribedMachine& machine, const ArenaSettings& settings);

}  // namespace tasuki

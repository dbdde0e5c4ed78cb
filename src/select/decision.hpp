// What has been learnt for one key.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace tasuki {

inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// What became of a candidate.
enum class Fate : std::uint8_t {
    waiting,    ///< not measured yet
    winner,     ///< in use
    slower,     ///< measured in full, lost
    hopeless,   ///< cut off after the first look
    predicted,  ///< cut by prediction, never measured
    failed,     ///< did not run when it was asked to
};

std::string_view name_of(Fate fate);
/// Throws std::invalid_argument for an unknown name.
Fate read_fate(std::string_view name);

struct CandidateRecord {
    std::string name;            ///< as parse_choice() reads it; "native" is the host's own
    double predicted = unknown;  ///< seconds
    double measured = unknown;   ///< seconds, the slowest rank, a typical call
    std::uint32_t samples = 0;
    Fate fate = Fate::waiting;
};

/// A decision with its reasons: what a later run starts with and `tasuki decisions explain` shows.
struct Decision {
    std::string winner;
    double margin = 0;                ///< (second best - winner) / winner, measured
    std::uint64_t calls = 0;          ///< seen so far, over all runs
    std::uint64_t switched_at = 0;    ///< the call from which on the winner was used
    std::uint32_t relearnings = 0;    ///< times that it was learnt again
    std::uint32_t common_drifts = 0;  ///< times that everything changed alike
    double learning_seconds = 0;      ///< what learning cost beyond the best candidate known
    double saved_seconds = 0;         ///< against the host's own, learning included
    std::vector<CandidateRecord> candidates;

    const CandidateRecord* find(std::string_view name) const;
    /// Calls after which the winner has paid for the learning; NaN where it saves nothing.
    double break_even_calls() const;
};

}  // namespace tasuki

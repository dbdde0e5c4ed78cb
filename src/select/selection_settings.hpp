// How selection weighs learning against using what is known.
#pragma once

#include <cstdint>

#include "select/grouping.hpp"

namespace tasuki {

struct SelectionSettings {
    Grouping grouping = Grouping::near_best;
    /// Candidates predicted to take this many times the shortest prediction are not measured.
    double group_factor = 4;
    /// The same once measurements have shown how far predictions are off on this machine ...
    double look_factor = 2;
    /// ... and those of others that are carried the same way.
    double look_factor_of_carrier = 2;
    /// A candidate that takes this many times the best in its first two samples is given up.
    double hopeless_factor = 1.5;

    /// So many calls in a row make one sample of a candidate. Where ranks share cores, what a call
    /// takes depends on who runs when, and on what ran before; one call says little of many.
    std::uint32_t persistence = 1;
    /// Of shorter calls so many that a sample takes about this many seconds ...
    double shortest_sample = 4e-6;
    /// ... but no more.
    std::uint32_t most_persistence = 16;

    /// What learning may cost, as a share of the time spent in the collective ...
    double budget = 0.01;
    /// ... and as calls of the host's own algorithm before that share amounts to anything; see
    /// Selector::floor_call().
    double budget_floor_calls = 8;
    /// What the first call of a candidate takes beyond the others: its program is made, and code
    /// and data come to the caches.
    double set_up_seconds = 6e-6;

    /// The host's own algorithm, and what was chosen later, are left only for one that is faster by
    /// this share.
    double margin = 0.01;
    /// Learning ends when no other candidate can be faster than the best by more than this share.
    double tolerance = 0.01;

    /// The chance that a window of pure noise is taken for a change; see DriftTest.
    double false_alarm_rate = 1e-7;
    /// The calls between two agreements in a steady run ...
    std::uint32_t longest_window = 96;
    /// ... fewer, but two for each sample, where they take longer than this ...
    double long_window_seconds = 10e-3;
    /// ... more where an agreement, and timing the calls before it, would otherwise cost more than
    /// this share of the collective.
    double agreement_share = 0.005;
    /// The share of the agreement alone in a steady run.
    double share_of_windows = 0.005;

    /// Candidates slower than the best by this factor are left out of learning again ...
    double exclusion_factor = 1.2;
    /// ... that many times in a row, then measured once more.
    std::uint32_t exclusion_lifetime = 3;
    /// Every so many windows one candidate that is not in use is tried, in turn.
    std::uint32_t probe_windows = 16;

    static SelectionSettings where_ranks_share_cores() {
        SelectionSettings settings;
        settings.persistence = 4;
        settings.look_factor_of_carrier = 1.5;  // a look takes two samples, of four calls each
        settings.hopeless_factor = 2;
        settings.budget_floor_calls = 4;  // each waits for ranks to have their turn
        // An agreement brings ranks out of step that take turns on a core: the calls after it take
        // longer, too.
        settings.share_of_windows = 0.001;
        settings.probe_windows = 8;  // which are longer
        return settings;
    }
};

}  // namespace tasuki

// The first phase: which candidates are worth measuring.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tasuki {

enum class Grouping : std::uint8_t {
    everything,  ///< no prediction, all are measured
    midpoint,    ///< Nanri et al. 2009: not above the mean of the longest and shortest prediction
    near_best,   ///< within a factor of the shortest, and of what measuring has shown since
};

std::string_view name_of(Grouping grouping);
/// Throws std::invalid_argument that lists the names.
Grouping read_grouping(std::string_view name);

/// The longest prediction of a candidate that is to be measured. `predicted`: seconds, NaN where
/// nothing is known; such a candidate is to be measured, too. `factor`: how much longer than the
/// shortest near_best allows.
///
/// The midpoint keeps almost everything as soon as one candidate is predicted to be very slow,
/// because it moves the threshold; the factor does not depend on the worst.
double longest_to_measure(std::span<const double> predicted, Grouping grouping, double factor);

}  // namespace tasuki

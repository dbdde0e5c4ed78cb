// Robust statistics of timings.
#pragma once

#include <cstddef>
#include <span>

namespace tasuki {

double median(std::span<const double> samples);

/// The mean of the middle half, which a quarter of wild samples on either side cannot move.
/// `samples` must not be empty.
double middle_mean(std::span<const double> samples);

/// The standard deviation that normal noise of the same median deviation would have.
double robust_deviation(std::span<const double> samples);

/// What the middle mean of `count` samples of noise `deviation` may be off by chance.
double standard_error(double deviation, std::size_t count);

/// The sample of rank ceil(fraction * n) in ascending order, the lowest for 0.
double quantile(std::span<const double> samples, double fraction);

}  // namespace tasuki

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

/// The chance that noise alone lets samples be as much below others as `low` is below `high`: the
/// rank-sum test of Mann and Whitney (1947), one-sided, by its normal approximation, which says too
/// much rather than too little at such small chances. No distribution is assumed.
double chance_of_ranks(std::span<const double> low, std::span<const double> high);

/// The sample of rank ceil(fraction * n) in ascending order, the lowest for 0.
double quantile(std::span<const double> samples, double fraction);

}  // namespace tasuki

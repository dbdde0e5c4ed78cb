// Robust statistics of timings.
#pragma once

#include <span>

namespace tasuki {

/// A location and how far it may be off by chance.
struct Estimate {
    double seconds = 0;
    double standard_error = 0;
};

double median(std::span<const double> samples);

/// The mean of the middle half, which a quarter of wild samples on either side cannot move, with a
/// standard error from the median deviation. `samples` must not be empty.
Estimate robust_estimate(std::span<const double> samples);

/// The sample of rank ceil(fraction * n) in ascending order, 0 < fraction <= 1.
double quantile(std::span<const double> samples, double fraction);

}  // namespace tasuki

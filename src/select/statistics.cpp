#include "select/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace tasuki {

namespace {

std::vector<double> sorted(std::span<const double> samples) {
    std::vector<double> values(samples.begin(), samples.end());
    std::ranges::sort(values);
    return values;
}

double median_of_sorted(const std::vector<double>& values) {
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace

double median(std::span<const double> samples) {
    return median_of_sorted(sorted(samples));
}

Estimate robust_estimate(std::span<const double> samples) {
    std::vector<double> values = sorted(samples);
    const std::size_t cut = values.size() / 4;
    const double mean = std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(cut),
                                        values.end() - static_cast<std::ptrdiff_t>(cut), 0.0) /
                        static_cast<double>(values.size() - 2 * cut);
    const double middle = median_of_sorted(values);
    for (double& value : values) value = std::abs(value - middle);
    std::ranges::sort(values);
    // 1.4826: from median deviation to standard deviation; 1.1: what the middle half loses against
    // the plain mean, both for normal noise.
    const double deviation = 1.4826 * median_of_sorted(values);
    return {mean, 1.1 * deviation / std::sqrt(static_cast<double>(values.size()))};
}

double quantile(std::span<const double> samples, double fraction) {
    const std::vector<double> values = sorted(samples);
    const auto rank =
        static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(values.size())));
    return values[std::clamp<std::size_t>(rank, 1, values.size()) - 1];
}

}  // namespace tasuki

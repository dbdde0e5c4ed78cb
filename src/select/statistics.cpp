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

double middle_mean(std::span<const double> samples) {
    const std::vector<double> values = sorted(samples);
    const auto cut = static_cast<std::ptrdiff_t>(values.size() / 4);
    return std::accumulate(values.begin() + cut, values.end() - cut, 0.0) /
           static_cast<double>(values.size() - 2 * (values.size() / 4));
}

double robust_deviation(std::span<const double> samples) {
    const double middle = median(samples);
    std::vector<double> distances;
    for (const double sample : samples) distances.push_back(std::abs(sample - middle));
    // 1.4826: from median deviation to standard deviation of normal noise.
    return 1.4826 * median(distances);
}

double standard_error(double deviation, std::size_t count) {
    // 1.1: what the middle half loses against the plain mean for normal noise.
    return 1.1 * deviation / std::sqrt(static_cast<double>(count));
}

double quantile(std::span<const double> samples, double fraction) {
    const std::vector<double> values = sorted(samples);
    const auto rank =
        static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(values.size())));
    return values[std::clamp<std::size_t>(rank, 1, values.size()) - 1];
}

}  // namespace tasuki

#include "select/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

namespace tasuki {

namespace {

/// The samples, the one of `rank` in ascending order in its place, no greater one before it and no
/// smaller one after it.
std::vector<double> split_at(std::span<const double> samples, std::size_t rank) {
    std::vector<double> values(samples.begin(), samples.end());
    std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(rank));
    return values;
}

}  // namespace

double median(std::span<const double> samples) {
    const std::size_t half = samples.size() / 2;
    const std::vector<double> values = split_at(samples, half);
    if (samples.size() % 2 == 1) return values[half];
    return (std::ranges::max(std::span(values).first(half)) + values[half]) / 2;
}

double middle_mean(std::span<const double> samples) {
    const auto cut = static_cast<std::ptrdiff_t>(samples.size() / 4);
    std::vector<double> values = split_at(samples, samples.size() / 4);
    const auto begin = values.begin() + cut;
    const auto end = values.end() - cut;
    std::nth_element(begin, end - 1, values.end());
    return std::accumulate(begin, end, 0.0) / static_cast<double>(end - begin);
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

double chance_of_ranks(std::span<const double> low, std::span<const double> high) {
    double wins = 0;
    for (const double a : low) {
        for (const double b : high) wins += a < b ? 1 : a == b ? 0.5 : 0;
    }
    const auto n = static_cast<double>(low.size());
    const auto m = static_cast<double>(high.size());
    const double deviation = std::sqrt(n * m * (n + m + 1) / 12);
    return 0.5 * std::erfc((wins - n * m / 2) / deviation / std::numbers::sqrt2);
}

double quantile(std::span<const double> samples, double fraction) {
    const auto rank =
        static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(samples.size())));
    const std::size_t index = std::clamp<std::size_t>(rank, 1, samples.size()) - 1;
    return split_at(samples, index)[index];
}

}  // namespace tasuki

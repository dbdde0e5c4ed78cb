#include "select/drift_test.hpp"

#include <algorithm>
#include <cmath>

#include "select/statistics.hpp"

namespace tasuki {

namespace {

/// Exceedances that make a window suspicious: about one window of noise in a hundred.
constexpr int suspicious = 9;

double binomial_tail(int trials, int least, double chance) {
    double sum = 0;
    for (int k = least; k <= trials; ++k) {
        const double choices =
            std::lgamma(trials + 1) - std::lgamma(k + 1) - std::lgamma(trials - k + 1);
        sum += std::exp(choices + k * std::log(chance) + (trials - k) * std::log1p(-chance));
    }
    return sum;
}

}  // namespace

double DriftTest::joint_chance(int first, int second) {
    // The chance that one more sample exceeds the order statistic of rank r of n is itself random:
    // Beta(n - r + 1, r). Both windows see the same one.
    constexpr int rank = reference_size * 3 / 4;
    constexpr double a = reference_size - rank + 1;
    constexpr double b = rank;
    const double log_beta = std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b);
    constexpr int pieces = 400;
    double sum = 0;
    for (int i = 0; i < pieces; ++i) {
        const double chance = (i + 0.5) / pieces;
        const double density =
            std::exp((a - 1) * std::log(chance) + (b - 1) * std::log1p(-chance) - log_beta);
        sum += density * binomial_tail(window_size, first, chance) *
               binomial_tail(confirmation_size, second, chance);
    }
    return sum / pieces;
}

DriftTest::DriftTest(double false_alarm_rate)
    : suspicion_(suspicious), confirmation_(confirmation_size / 2) {
    // Two-sided: slower and faster each get half.
    while (confirmation_ < confirmation_size &&
           joint_chance(suspicion_, confirmation_) > false_alarm_rate / 2) {
        ++confirmation_;
    }
}

void DriftTest::set_reference(std::span<const double> samples) {
    upper_quarter_ = quantile(samples, 0.75);
    // The mirror image of the upper quarter's rank.
    lower_quarter_ = quantile(samples, 0.25 + 1.0 / reference_size);
    has_reference_ = true;
}

Drift DriftTest::exceeds(std::span<const double> window, int threshold) const {
    if (!has_reference_) return Drift::none;
    if (std::ranges::count_if(window, [&](double s) { return s > upper_quarter_; }) >= threshold) {
        return Drift::slower;
    }
    if (std::ranges::count_if(window, [&](double s) { return s < lower_quarter_; }) >= threshold) {
        return Drift::faster;
    }
    return Drift::none;
}

Drift DriftTest::suspected(std::span<const double> window) const {
    return exceeds(window, suspicion_);
}

Drift DriftTest::confirmed(std::span<const double> window) const {
    return exceeds(window, confirmation_);
}

}  // namespace tasuki

#include "select/drift_test.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

#include "select/statistics.hpp"

namespace tasuki {

namespace {

/// Exceedances that make a window suspicious: about one window of noise in a hundred.
constexpr int suspicious = 9;

/// The chance of at least `least` successes in `trials`, each of chance exp(log_success).
double binomial_tail(int trials, int least, double log_success, double log_failure) {
    double sum = 0;
    double choices = 1;  // of k out of trials
    for (int k = trials; k >= least; --k) {
        sum += choices * std::exp(k * log_success + (trials - k) * log_failure);
        choices *= static_cast<double>(k) / (trials - k + 1);
    }
    return sum;
}

/// Two-sided: slower and faster each get half of the rate.
int confirmation_for(double false_alarm_rate) {
    int least = DriftTest::confirmation_size / 2;
    while (least < DriftTest::confirmation_size &&
           DriftTest::joint_chance(suspicious, least) > false_alarm_rate / 2) {
        ++least;
    }
    return least;
}

/// Worked out once for each rate: it takes about a millisecond, and every key has a test.
int known_confirmation_for(double false_alarm_rate) {
    static std::mutex mutex;
    static std::map<double, int> known;
    const std::lock_guard lock(mutex);
    const auto found = known.find(false_alarm_rate);
    if (found != known.end()) return found->second;
    return known[false_alarm_rate] = confirmation_for(false_alarm_rate);
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
        const double log_chance = std::log(chance);
        const double log_rest = std::log1p(-chance);
        const double density = std::exp((a - 1) * log_chance + (b - 1) * log_rest - log_beta);
        sum += density * binomial_tail(window_size, first, log_chance, log_rest) *
               binomial_tail(confirmation_size, second, log_chance, log_rest);
    }
    return sum / pieces;
}

DriftTest::DriftTest(double false_alarm_rate)
    : suspicion_(suspicious), confirmation_(known_confirmation_for(false_alarm_rate)) {}

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

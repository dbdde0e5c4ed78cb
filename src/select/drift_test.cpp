#include "select/drift_test.hpp"

#include <algorithm>

#include "select/statistics.hpp"

namespace tasuki {

namespace {

/// How many ways there are to choose 0, 1, ... of `size`.
std::vector<double> ways_to_choose(int size) {
    std::vector<double> ways{1};
    for (int k = 1; k <= size; ++k) ways.push_back(ways.back() * (size - k + 1) / k);
    return ways;
}

}  // namespace

double DriftTest::joint_chance(int first, int second, int size) {
    // The chance that one more sample exceeds the order statistic of rank r of n is itself random:
    // Beta(n - r + 1, r). Both windows see the same one, so what counts is how many exceed it in
    // all, which is beta-binomial, and in how many ways these lie in the two windows.
    constexpr int rank = reference_size * 3 / 4;
    constexpr double a = reference_size - rank + 1;
    constexpr double b = rank;
    const int both = size + confirmation_size;
    const std::vector<double> in_window = ways_to_choose(size);
    const std::vector<double> in_confirmation = ways_to_choose(confirmation_size);
    double chance = 1;  // that certain `exceeding` ones exceed it and all others do not
    for (int i = 0; i < both; ++i) chance *= (b + i) / (a + b + i);
    double sum = 0;
    for (int exceeding = 0; exceeding <= both; ++exceeding) {
        double ways = 0;
        for (int k = std::max(first, exceeding - confirmation_size);
             k <= std::min(size, exceeding - second); ++k) {
            ways += in_window[k] * in_confirmation[exceeding - k];
        }
        sum += ways * chance;
        chance *= (a + exceeding) / (b + both - exceeding - 1);
    }
    return sum;
}

/// Two-sided: slower and faster each get half of the rate, which both ways to suspicion share.
int DriftTest::confirmation_threshold() const {
    const auto chance = [](int least) {
        return joint_chance(suspicion_threshold(), least) +
               joint_chance(last_size, least, last_size);
    };
    int least = confirmation_size / 2;
    while (least < confirmation_size && chance(least) > false_alarm_rate_ / 2) ++least;
    return least;
}

void DriftTest::set_reference(std::span<const double> samples) {
    upper_quarter_ = quantile(samples, 0.75);
    // The mirror image of the upper quarter's rank.
    lower_quarter_ = quantile(samples, 0.25 + 1.0 / reference_size);
    has_reference_ = true;
}

Drift DriftTest::exceeds(std::span<const double> window, std::ptrdiff_t threshold) const {
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
    const Drift drift = exceeds(window, suspicion_threshold());
    return drift == Drift::none ? exceeds(window.last(last_size), last_size) : drift;
}

Drift DriftTest::confirmed(std::span<const double> window) const {
    return exceeds(window, confirmation_threshold());
}

}  // namespace tasuki

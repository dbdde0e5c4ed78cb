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

double DriftTest::joint_chance(int of_tail, int first, int second, int size) {
    // The chance that one more sample exceeds the order statistic of rank r of n is itself random:
    // Beta(n - r + 1, r). Both windows see the same one, so what counts is how many exceed it in
    // all, which is beta-binomial, and in how many ways these lie in the two windows.
    const int rank = reference_size - tail[of_tail].samples;
    const double a = reference_size - rank + 1;
    const double b = rank;
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

double DriftTest::chance_of_alarm(int of_tail, int confirming) {
    const double by_window = joint_chance(of_tail, tail[of_tail].suspicion, confirming);
    if (of_tail > 0) return by_window;
    return by_window + joint_chance(of_tail, last_size, confirming, last_size);
}

/// Slower and faster each get half of the rate.
bool DriftTest::confirms(int of_tail, std::ptrdiff_t confirming) const {
    return confirming == confirmation_size ||
           chance_of_alarm(of_tail, static_cast<int>(confirming)) <= false_alarm_rate_ / 2;
}

void DriftTest::set_reference(std::span<const double> samples) {
    for (int i = 0; i < tails; ++i) {
        const double part = static_cast<double>(tail[i].samples) / reference_size;
        slowest_from_[i] = quantile(samples, 1 - part);
        // The mirror image of the other's rank.
        fastest_up_to_[i] = quantile(samples, part + 1.0 / reference_size);
    }
    has_reference_ = true;
}

std::ptrdiff_t DriftTest::in_tail(std::span<const double> window, Drift drift, int of_tail) const {
    return std::ranges::count_if(window, [&](double seconds) {
        return drift == Drift::slower ? seconds > slowest_from_[of_tail]
                                      : seconds < fastest_up_to_[of_tail];
    });
}

Suspicion DriftTest::suspected(std::span<const double> window) const {
    if (!has_reference_) return {};
    for (const Drift drift : {Drift::slower, Drift::faster}) {
        std::uint32_t by = in_tail(window.last(last_size), drift, 0) == last_size ? 1 : 0;
        for (int i = 0; i < tails; ++i) {
            if (in_tail(window, drift, i) >= tail[i].suspicion) by |= 1U << i;
        }
        if (by != 0) return {drift, by};
    }
    return {};
}

bool DriftTest::confirmed(std::span<const double> window, const Suspicion& suspicion) const {
    for (int i = 0; i < tails; ++i) {
        if ((suspicion.tails >> i & 1U) != 0 && confirms(i, in_tail(window, suspicion.drift, i))) {
            return true;
        }
    }
    return false;
}

}  // namespace tasuki

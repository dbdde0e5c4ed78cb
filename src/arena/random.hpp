// Random numbers that are the same everywhere for the same seed.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

namespace tasuki {

/// SplitMix64.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t bits() {
        std::uint64_t z = state_ += 0x9E3779B97F4A7C15ULL;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ z >> 27) * 0x94D049BB133111EBULL;
        return z ^ z >> 31;
    }
    /// In (0, 1).
    double uniform() { return (static_cast<double>(bits() >> 11) + 0.5) * 0x1p-53; }
    double normal() {
        return std::sqrt(-2 * std::log(uniform())) * std::cos(2 * std::numbers::pi * uniform());
    }
    /// The largest of `count` exponential numbers of mean 1.
    double largest_exponential(double count) {
        return -std::log(-std::expm1(std::log(uniform()) / count));
    }

  private:
    std::uint64_t state_;
};

}  // namespace tasuki

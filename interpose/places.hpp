// Where small tables of what was used last keep what follows from a few numbers.
#pragma once

#include <bit>
#include <cstdint>

namespace tasuki::interpose {

/// A place for the numbers that were added, by multiplicative hashing (Knuth, volume 3, 6.4) of
/// their sum, each turned by as many bits more, which the processor does side by side.
class Places {
  public:
    template <typename Number>
    Places& add(Number number) {
        sum_ += std::rotl(static_cast<std::uint64_t>(number), turn_);
        turn_ += 13;
        return *this;
    }
    /// In a table of 2^bits.
    std::uint64_t of(int bits) const { return sum_ * golden_ratio >> (64 - bits); }

  private:
    static constexpr std::uint64_t golden_ratio = 0x9e3779b97f4a7c15;

    std::uint64_t sum_ = 0;
    int turn_ = 0;
};

}  // namespace tasuki::interpose

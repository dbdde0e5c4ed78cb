// Where small tables of what was used last keep what follows from a few numbers.
#pragma once

#include <cstdint>

namespace tasuki::interpose {

/// A place for the numbers that were added, by multiplicative hashing (Knuth, volume 3, 6.4), each
/// with a factor of its own, so that the processor multiplies them side by side.
class Places {
  public:
    template <typename Number>
    Places& add(Number number) {
        mixed_ += static_cast<std::uint64_t>(number) * factor_;
        factor_ *= golden_ratio;
        return *this;
    }
    /// In a table of 2^bits.
    std::uint64_t of(int bits) const { return mixed_ >> (64 - bits); }

  private:
    static constexpr std::uint64_t golden_ratio = 0x9e3779b97f4a7c15;

    std::uint64_t factor_ = golden_ratio;
    std::uint64_t mixed_ = 0;
};

}  // namespace tasuki::interpose

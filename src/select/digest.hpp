// A short number that tells texts and numbers apart.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace tasuki {

/// FNV-1a. The value has 52 bits, so that a double carries it through a reduction exactly.
class Digest {
  public:
    Digest& add(std::string_view text) {
        for (const char c : text) add_byte(static_cast<unsigned char>(c));
        add_byte(0);
        return *this;
    }
    Digest& add(double number) {
        for (auto bits = std::bit_cast<std::uint64_t>(number); bits != 0; bits >>= 8) {
            add_byte(static_cast<unsigned char>(bits & 0xff));
        }
        add_byte(1);
        return *this;
    }

    /// The value in 13 hexadecimal digits.
    std::string text() const {
        std::string digits(13, '0');
        std::uint64_t rest = value();
        for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, rest >>= 4) {
            *digit = "0123456789abcdef"[rest & 15];
        }
        return digits;
    }

    std::uint64_t value() const { return (state_ ^ state_ >> 52) & 0xFFFFFFFFFFFFFULL; }

  private:
    void add_byte(unsigned char byte) { state_ = (state_ ^ byte) * 0x100000001B3ULL; }

    std::uint64_t state_ = 0xCBF29CE484222325ULL;
};

}  // namespace tasuki

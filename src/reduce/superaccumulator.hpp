// A fixed-point number wide enough for every sum of doubles and of products of doubles.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tasuki::reduction {

/// Exact integer arithmetic on multiples of 2^lowest_exponent, after Kulisch; words with room for
/// carries to wait, after Neal (2015, "Fast exact summation using small and large
/// superaccumulators"). It depends on no rounding mode.
///
/// Values may reach 2^2176 in magnitude: sums of 2^128 products of the largest doubles.
/// Memory: 1.1 KiB. An addition costs 2 to 3 ns; what is done seldom is in proportion to the words
/// that were touched.
class Superaccumulator {
  public:
    static constexpr int word_bits = 32;
    static constexpr int words = 136;
    static constexpr int lowest_exponent = -68 * word_bits;

    /// Adds magnitude * 2^exponent, or subtracts it. The exponent is from -2148 to 2048.
    void add(std::uint64_t magnitude, bool is_negative, int exponent) {
        const int bit = exponent - lowest_exponent;
        const int first = bit / word_bits;
        touch(first, first + 2);
        add_at(magnitude, is_negative, bit);
        if (++waiting_ >= most_waiting) carry();
    }

    /// Makes ready for `number` calls of add_within_doubles().
    void expect(std::uint64_t number) {
        touch(first_double_word, last_double_word);
        if (waiting_ + number >= most_waiting) carry();
        waiting_ += number;
    }
    /// add() without account: for doubles only, after expect().
    void add_within_doubles(std::uint64_t magnitude, bool is_negative, int exponent) {
        add_at(magnitude, is_negative, exponent - lowest_exponent);
    }

    /// Adds digit * 2^(lowest_exponent + 32 * word), or subtracts it.
    void add_digit(std::uint32_t digit, bool is_negative, int word) {
        touch(word, word);
        words_[word] += is_negative ? -std::int64_t{digit} : std::int64_t{digit};
        if (++waiting_ >= most_waiting) carry();
    }

    void merge(const Superaccumulator& other);

    /// Sign and magnitude: the one form of a value.
    struct Settled {
        bool is_negative = false;  ///< false for zero
        int first = 0;             ///< word of the lowest digit that may not be zero
        int last = -1;  ///< word of the highest digit that is not zero; -1: the value is 0
        std::array<std::uint32_t, words> digits{};  ///< [word], least significant first
    };
    Settled settled() const;

  private:
    static constexpr std::uint64_t most_waiting = std::uint64_t{1} << 30;
    static constexpr int first_double_word = (-1074 - lowest_exponent) / word_bits;
    static constexpr int last_double_word = (1024 - lowest_exponent) / word_bits + 1;

    void touch(int first, int last) {
        first_ = first < first_ ? first : first_;
        last_ = last > last_ ? last : last_;
    }
    void add_at(std::uint64_t magnitude, bool is_negative, int bit) {
        const int first = bit / word_bits;
        const int shift = bit % word_bits;
        const std::uint64_t low = magnitude << shift;
        const auto high = static_cast<std::int64_t>(magnitude >> 1 >> (63 - shift));
        const std::int64_t sign = -static_cast<std::int64_t>(is_negative);  // 0, or all bits
        const auto digit = static_cast<std::int64_t>(low & 0xffffffffU);
        const auto next = static_cast<std::int64_t>(low >> word_bits);
        words_[first] += (digit ^ sign) - sign;
        words_[first + 1] += (next ^ sign) - sign;
        words_[first + 2] += (high ^ sign) - sign;
    }
    void carry();

    std::array<std::int64_t, words> words_{};
    int first_ = words - 1;      // all words before this one are 0
    int last_ = 0;               // all words after this one are 0
    std::uint64_t waiting_ = 0;  // no word is greater than this, times 2^32
};

}  // namespace tasuki::reduction

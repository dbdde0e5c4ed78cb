// Sums and dot products as if arithmetic had no end, rounded once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "reduce/superaccumulator.hpp"

namespace tasuki::reduction {

/// The exact sum of everything that was added: the order of additions, their grouping into
/// accumulators that were merged, and the instruction set leave no trace in it.
///
/// A NaN, or infinities of both signs, make the result the canonical NaN (positive, quiet, no
/// payload); infinities of one sign make it that infinity. A sum of zero is +0, or -0 if all that
/// was added is -0. Sums in between cannot overflow; the result is infinite where the exact sum
/// rounds to infinity. Rounding mode, flushing of subnormals and exception flags of the caller are
/// neither used nor changed.
class ExactSum {
  public:
    void add(double value);
    /// Adds all values; from some 10^4 on at the speed of memory.
    void add(std::span<const double> values);
    void add(std::span<const float> values);
    /// Adds left * right without rounding it. Zero times an infinity is a NaN.
    void add_product(double left, double right);
    /// Adds left[i] * right[i] for all i; `right` has as many values as `left`.
    void add_products(std::span<const double> left, std::span<const double> right);
    /// Adds what was added to `other`.
    void merge(const ExactSum& other);

    double to_double() const;
    float to_float() const;

    static constexpr std::size_t serialised_bytes = 8 + 4 * Superaccumulator::words;
    /// Writes serialised_bytes; equal sums give equal bytes. Byte 0 is a version, byte 1 the flags,
    /// then 32-bit digits from the least significant on, little-endian.
    void serialise(std::byte* bytes) const;
    /// Throws std::invalid_argument if serialise() cannot have written this.
    static ExactSum deserialise(const std::byte* bytes);

  private:
    friend class BlockwiseSum;

    template <typename Number>
    Number rounded() const;

    /// What is no number, and what tells the signs of zero apart.
    enum Flag : std::uint8_t {
        has_nan = 1,
        has_infinity = 2,
        has_negative_infinity = 4,
        has_negative_zero = 8,
        has_more = 16,  ///< anything but -0
    };

    Superaccumulator finite_;
    std::uint8_t flags_ = 0;
};

/// Adds values[0], values[2], ... to `real`, and values[1], values[3], ... to `imaginary`: an even
/// number of values, as arrays of complex numbers lie in memory.
void add_complex(std::span<const double> values, ExactSum& real, ExactSum& imaginary);
void add_complex(std::span<const float> values, ExactSum& real, ExactSum& imaginary);

}  // namespace tasuki::reduction

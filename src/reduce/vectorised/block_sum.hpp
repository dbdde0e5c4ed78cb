// Element by element, the exact sum of several contributors. In an anonymous namespace, as
// operators.hpp says.
//
// Each lane keeps a sum and the sum of its rounding errors, both by error-free additions (Knuth's
// two-sum). As long as the second one is exact too, which numbers of similar size give, the two are
// the exact sum, and adding them rounds it once. Elements where it is not exact, and those with
// infinities or NaN, are summed one by one in a superaccumulator. Of two contributors the processor
// rounds the exact sum as it is.
#pragma once

#include <limits>

#include "reduce/vectorised/exact_table.hpp"
#include "reduce/vectorised/vectors.hpp"

namespace tasuki::reduction {
namespace {

/// sum + error = left + right, exactly, if nothing overflows.
[[gnu::always_inline]] inline Doubles two_sum(Doubles left, Doubles right, Doubles& error) {
    const Doubles sum = left + right;
    const Doubles right_part = sum - left;
    error = (left - (sum - right_part)) + (right - right_part);
    return sum;
}

/// What a lane of doubles is read from and written to.
template <typename Number>
struct Lanes;
template <>
struct Lanes<double> {
    using Stored = Doubles;
    static Doubles widened(Stored stored) { return stored; }
    static Stored rounded(Doubles sum, Doubles errors) {
        // Adding a zero would turn -0 into +0.
        return errors == 0.0 ? sum : sum + errors;
    }
};
template <>
struct Lanes<float> {
    using Stored = HalfFloats;
    static Doubles widened(Stored stored) { return __builtin_convertvector(stored, Doubles); }
    static Stored rounded(Doubles sum, Doubles errors) {
        // Rounded to odd first: the nearest float of that is the nearest float of the exact sum,
        // because doubles have at least two digits more (Boldo and Melquiond 2008).
        Doubles error;
        const Doubles nearest = two_sum(sum, errors, error);
        const Words bits = reinterpret_cast<Words>(nearest);
        const Words is_inexact_and_even = (error != 0.0) & ((bits & 1) == 0);
        const Words is_away = (error > 0.0) == (nearest > 0.0);  // from zero: one up, else down
        const Words odd = bits + (is_inexact_and_even & (is_away ? Words{} + 1 : Words{} - 1));
        const Doubles value = errors == 0.0 ? sum : reinterpret_cast<Doubles>(odd);
        return __builtin_convertvector(value, Stored);
    }
};

[[gnu::always_inline]] inline Words differing_bits(Doubles one, Doubles other) {
    return reinterpret_cast<Words>(one) ^ reinterpret_cast<Words>(other);
}

/// What a lane has seen so far: the exact sum is sum + errors, unless it is left to somebody else.
struct LaneSums {
    Doubles sum{};
    Doubles errors{};
    Words lost{};

    [[gnu::always_inline]] void add_second(Doubles value) { sum = two_sum(sum, value, errors); }
    /// A sum of two is exact if and only if each is what the other leaves of it: three
    /// additions, where the error itself would take six. Zeros of unlike signs count as a loss.
    [[gnu::always_inline]] void add(Doubles value) {
        Doubles error;
        sum = two_sum(sum, value, error);
        const Doubles before = errors;
        errors = before + error;
        lost |= differing_bits(errors - before, error) | differing_bits(errors - error, before);
    }
    /// Not zero where the sum is left to somebody else. An infinity minus itself is not zero, nor
    /// is a NaN. Errors overflow before sums do.
    [[gnu::always_inline]] Words left() const {
        return lost | ((sum - sum) != 0.0) | ((errors - errors) != 0.0);
    }
};

/// Reads vectors of a contributor's numbers; where not all lanes exist the others are zero.
template <typename Number, bool is_whole>
struct Column {
    using Stored = typename Lanes<Number>::Stored;
    std::size_t first;  ///< element
    std::size_t lanes;

    [[gnu::always_inline]] Doubles read(const std::byte* contributor, std::size_t vector) const {
        const std::byte* address = contributor + (first + vector * double_lanes) * sizeof(Number);
        if constexpr (is_whole) return Lanes<Number>::widened(load<Stored>(address));
        Stored part{};
        __builtin_memcpy(&part, address, lanes * sizeof(Number));
        return Lanes<Number>::widened(part);
    }

    /// Writes the sums of the first `number` contributors.
    template <std::size_t vectors>
    [[gnu::always_inline]] void write(const LaneSums (&sums)[vectors],
                                      const std::byte* const* contributors, std::size_t number,
                                      std::byte* result, SumElement* sum_element) const {
        Stored results[vectors];
        Words left[vectors];
        std::int64_t is_any_left = 0;
        for (std::size_t i = 0; i < vectors; ++i) {
            results[i] = Lanes<Number>::rounded(sums[i].sum, sums[i].errors);
            left[i] = sums[i].left();
            for (std::size_t lane = 0; lane < double_lanes; ++lane) is_any_left |= left[i][lane];
        }
        if (is_any_left != 0) [[unlikely]] {
            for (std::size_t i = 0; i < vectors; ++i) {
                for (std::size_t lane = 0; lane < double_lanes; ++lane) {
                    if (left[i][lane] == 0) continue;
                    Number exact;
                    sum_element(contributors, number, first + i * double_lanes + lane,
                                reinterpret_cast<std::byte*>(&exact));
                    results[i][lane] = exact;
                }
            }
        }
        __builtin_memcpy(result + first * sizeof(Number), results,
                         is_whole ? sizeof results : lanes * sizeof(Number));
    }
};

/// `act(column)` for all columns of `count` elements, of `vectors` vectors or one that is not
/// whole.
template <typename Number, std::size_t vectors, typename Act>
[[gnu::always_inline]] inline void for_columns(std::size_t count, const Act& act) {
    std::size_t i = 0;
    for (; i + vectors * double_lanes <= count; i += vectors * double_lanes) {
        act.template operator()<vectors>(Column<Number, true>{i, double_lanes});
    }
    for (; i < count; i += double_lanes) {
        const std::size_t lanes = count - i < double_lanes ? count - i : double_lanes;
        act.template operator()<1>(Column<Number, false>{i, lanes});
    }
}

constexpr std::size_t column_vectors = 2;

template <typename Number>
void block_sum(const std::byte* const* contributors, std::size_t number, std::size_t count,
               std::byte* result, SumElement* sum_element) {
    for_columns<Number, column_vectors>(
        count, [&]<std::size_t vectors>(const auto& column) __attribute__((always_inline)) {
            LaneSums sums[vectors];
            for (std::size_t i = 0; i < vectors; ++i) {
                sums[i].sum = column.read(contributors[0], i);
                sums[i].add_second(column.read(contributors[1], i));
            }
            for (std::size_t contributor = 2; contributor < number; ++contributor) {
                for (std::size_t i = 0; i < vectors; ++i) {
                    sums[i].add(column.read(contributors[contributor], i));
                }
            }
            column.write(sums, contributors, number, result, sum_element);
        });
}

template <typename Number>
void block_prefixes(const std::byte* const* contributors, std::size_t number, std::size_t count,
                    std::byte* const* results, SumElement* sum_element) {
    for_columns<Number, column_vectors>(
        count, [&]<std::size_t vectors>(const auto& column) __attribute__((always_inline)) {
            LaneSums sums[vectors];
            for (std::size_t i = 0; i < vectors; ++i) {
                sums[i].sum = column.read(contributors[0], i);
            }
            column.write(sums, contributors, 1, results[0], sum_element);
            for (std::size_t contributor = 1; contributor < number; ++contributor) {
                for (std::size_t i = 0; i < vectors; ++i) {
                    sums[i].add(column.read(contributors[contributor], i));
                }
                column.write(sums, contributors, contributor + 1, results[contributor],
                             sum_element);
            }
        });
}

template <typename Number>
using VectorFor = typename VectorOf<Number>::type;

template <typename Number>
[[gnu::always_inline]] inline VectorFor<Number> with_canonical_nans(VectorFor<Number> numbers) {
    return numbers == numbers ? numbers
                              : VectorFor<Number>{} + std::numeric_limits<Number>::quiet_NaN();
}

/// `act(from, bytes)` for all vectors of `count` elements; the last may have fewer bytes than one.
template <typename Number, typename Act>
[[gnu::always_inline]] inline void for_vectors(std::size_t count, const Act& act) {
    constexpr std::size_t vector_bytes = sizeof(VectorFor<Number>);
    const std::size_t all = count * sizeof(Number);
    std::size_t at = 0;
    for (; at + vector_bytes <= all; at += vector_bytes) act(at, vector_bytes);
    if (at < all) act(at, all - at);
}

/// The rest is zeros.
template <typename Vector>
[[gnu::always_inline]] inline Vector load_part(const std::byte* from, std::size_t bytes) {
    if (bytes == sizeof(Vector)) return load<Vector>(from);
    Vector part{};
    __builtin_memcpy(&part, from, bytes);
    return part;
}

template <typename Number>
void pair_sum(const std::byte* left, const std::byte* right, std::size_t count, std::byte* result) {
    for_vectors<Number>(
        count, [&](std::size_t at, std::size_t bytes) __attribute__((always_inline)) {
            using Vector = VectorFor<Number>;
            const Vector sum =
                load_part<Vector>(left + at, bytes) + load_part<Vector>(right + at, bytes);
            const Vector rounded = with_canonical_nans<Number>(sum);
            __builtin_memcpy(result + at, &rounded, bytes);
        });
}

template <typename Number>
void lone_sum(const std::byte* term, std::size_t count, std::byte* result) {
    using Vector = VectorFor<Number>;
    // In place nothing need be written, but for NaNs.
    if (result == term) {
        auto are_nan = Vector{} != Vector{};
        for_vectors<Number>(count,
                            [&](std::size_t at, std::size_t bytes) __attribute__((always_inline)) {
                                const Vector numbers = load_part<Vector>(term + at, bytes);
                                are_nan |= numbers != numbers;
                            });
        bool has_nan = false;
        for (std::size_t lane = 0; lane < sizeof(Vector) / sizeof(Number); ++lane) {
            has_nan = has_nan || are_nan[lane] != 0;
        }
        if (!has_nan) return;
    }
    for_vectors<Number>(
        count, [&](std::size_t at, std::size_t bytes) __attribute__((always_inline)) {
            const Vector same = with_canonical_nans<Number>(load_part<Vector>(term + at, bytes));
            __builtin_memcpy(result + at, &same, bytes);
        });
}

template <typename Number>
constexpr BlockLoops block_loops{block_sum<Number>, block_prefixes<Number>, pair_sum<Number>,
                                 lone_sum<Number>};

}  // namespace
}  // namespace tasuki::reduction

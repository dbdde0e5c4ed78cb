// Element by element, the exact sum of several contributors. In an anonymous namespace, as
// operators.hpp says.
//
// Each lane keeps a sum and the sum of its rounding errors, both by error-free additions (Knuth's
// two-sum). As long as the second one is exact too, which numbers of similar size give, the two are
// the exact sum, and adding them rounds it once. Elements where it is not exact, and those with
// infinities or NaN, are summed one by one in a superaccumulator.
#pragma once

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

/// Sums `vectors` neighbouring vectors at element `first`; of the last one only `lanes` exist.
template <typename Number, std::size_t vectors, bool is_whole>
[[gnu::always_inline]] inline void sum_columns(const std::byte* const* contributors,
                                               std::size_t number, std::size_t first,
                                               std::size_t lanes, std::byte* result,
                                               SumElement* sum_element) {
    using Stored = typename Lanes<Number>::Stored;
    const auto read = [&](std::size_t contributor, std::size_t vector) {
        const std::size_t element = first + vector * double_lanes;
        const std::byte* address = contributors[contributor] + element * sizeof(Number);
        if constexpr (is_whole) return Lanes<Number>::widened(load<Stored>(address));
        Stored part{};
        __builtin_memcpy(&part, address, lanes * sizeof(Number));
        return Lanes<Number>::widened(part);
    };
    Doubles sums[vectors];
    Doubles errors[vectors];
    Words rest[vectors];
    for (std::size_t i = 0; i < vectors; ++i) {
        sums[i] = read(0, i);
        errors[i] = Doubles{};
        rest[i] = Words{};
        if (number > 1) sums[i] = two_sum(sums[i], read(1, i), errors[i]);
    }
    for (std::size_t contributor = 2; contributor < number; ++contributor) {
        for (std::size_t i = 0; i < vectors; ++i) {
            Doubles error;
            Doubles lost;
            sums[i] = two_sum(sums[i], read(contributor, i), error);
            errors[i] = two_sum(errors[i], error, lost);
            rest[i] |= reinterpret_cast<Words>(lost);
        }
    }
    Stored results[vectors];
    std::int64_t is_any_left = 0;
    for (std::size_t i = 0; i < vectors; ++i) {
        results[i] = Lanes<Number>::rounded(sums[i], errors[i]);
        // An infinity minus itself is not zero, nor is a NaN. Errors overflow before sums do.
        rest[i] = (rest[i] << 1) | ((sums[i] - sums[i]) != 0.0) | ((errors[i] - errors[i]) != 0.0);
        for (std::size_t lane = 0; lane < double_lanes; ++lane) is_any_left |= rest[i][lane];
    }
    if (is_any_left != 0) [[unlikely]] {
        for (std::size_t i = 0; i < vectors; ++i) {
            for (std::size_t lane = 0; lane < double_lanes; ++lane) {
                if (rest[i][lane] == 0) continue;
                Number exact;
                sum_element(contributors, number, first + i * double_lanes + lane,
                            reinterpret_cast<std::byte*>(&exact));
                results[i][lane] = exact;
            }
        }
    }
    std::byte* address = result + first * sizeof(Number);
    __builtin_memcpy(address, results, is_whole ? sizeof results : lanes * sizeof(Number));
}

template <typename Number>
void block_sum(const std::byte* const* contributors, std::size_t number, std::size_t count,
               std::byte* result, SumElement* sum_element) {
    constexpr std::size_t vectors = 2;
    std::size_t i = 0;
    for (; i + vectors * double_lanes <= count; i += vectors * double_lanes) {
        sum_columns<Number, vectors, true>(contributors, number, i, double_lanes, result,
                                           sum_element);
    }
    for (; i < count; i += double_lanes) {
        const std::size_t lanes = count - i < double_lanes ? count - i : double_lanes;
        sum_columns<Number, 1, false>(contributors, number, i, lanes, result, sum_element);
    }
}

}  // namespace
}  // namespace tasuki::reduction

// Numbers that are hard to sum.
#pragma once

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace tasuki::reduction {

enum class Shape { similar, narrow, wide, huge, subnormal, cancelling, halfway, zeros, special };
inline constexpr Shape finite_shapes[] = {Shape::similar, Shape::narrow,    Shape::wide,
                                          Shape::huge,    Shape::subnormal, Shape::cancelling,
                                          Shape::halfway, Shape::zeros};

/// A number of random digits and sign whose exponent lies between the two.
template <typename Number, typename Random>
Number random_number(Random& random, int least_exponent, int greatest_exponent) {
    const double digits = 1.0 + static_cast<double>(random() >> 11) * 0x1p-53;
    const auto range = static_cast<std::uint64_t>(greatest_exponent - least_exponent + 1);
    const int exponent = least_exponent + static_cast<int>(random() % range);
    const auto value = static_cast<Number>(std::ldexp(digits, exponent));
    return random() % 2 == 0 ? value : -value;
}

template <typename Number, typename Random>
std::vector<Number> sample_terms(Random& random, Shape shape, std::size_t count) {
    using Limits = std::numeric_limits<Number>;
    constexpr int least = Limits::min_exponent - Limits::digits;
    constexpr int greatest = Limits::max_exponent - 1;
    const int middle = least + 60 + static_cast<int>(random() % (greatest - least - 120));
    std::vector<Number> terms(count);
    for (std::size_t i = 0; i < count; ++i) {
        Number& term = terms[i];
        switch (shape) {
            case Shape::similar:
                term = random_number<Number>(random, middle - 3, middle);
                break;
            case Shape::narrow:
                term = random_number<Number>(random, middle - 60, middle + 60);
                break;
            case Shape::wide:
                term = random_number<Number>(random, least, greatest - 1);
                break;
            case Shape::huge:
                term = random() % 3 == 0
                           ? std::copysign(Limits::max(), random_number<Number>(random, 0, 0))
                           : random_number<Number>(random, greatest - 55, greatest - 1);
                break;
            case Shape::subnormal:
                term = random_number<Number>(random, least, least + Limits::digits + 2);
                break;
            case Shape::cancelling:
                term = i % 2 == 1 && random() % 8 != 0
                           ? -terms[i - 1]
                           : random_number<Number>(random, middle - 50, middle);
                break;
            case Shape::halfway:
                // Half a unit of the one before, and now and then next to nothing.
                term = i == 0 ? random_number<Number>(random, middle, middle)
                              : std::ldexp(Number{1},
                                           middle - (i == 1 ? Limits::digits
                                                            : static_cast<int>(random() % 200)));
                if (random() % 2 == 0) term = -term;
                break;
            case Shape::zeros:
                term = random() % 2 == 0 ? Number{0} : -Number{0};
                break;
            case Shape::special:
                term = random_number<Number>(random, middle - 3, middle);
                if (random() % (count + 1) == 0) term = Limits::infinity();
                if (random() % (count + 1) == 0) term = -Limits::infinity();
                if (random() % (4 * count + 1) == 0) term = Limits::quiet_NaN();
                break;
        }
    }
    return terms;
}

}  // namespace tasuki::reduction

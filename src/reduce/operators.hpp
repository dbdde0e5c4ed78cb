// What the operations do to two elements. For those who compile kernels.
//
// Everything is in an anonymous namespace: files that include this are compiled for different
// processors, and the linker must not take one's copy for another's.
#pragma once

#include <type_traits>

#include "reduce/element.hpp"

#ifdef __FAST_MATH__
#error "reductions promise bits: they cannot be compiled with -ffast-math"
#endif

namespace tasuki::reduction {
namespace {

/// Integers wrap around, in a type that C++ does not widen to a signed one.
template <typename Number>
struct WrapAround {
    using type = Number;
};
template <typename Number>
    requires std::is_integral_v<Number>
struct WrapAround<Number> {
    using type = std::conditional_t<(sizeof(Number) < sizeof(unsigned)), unsigned,
                                    std::make_unsigned_t<Number>>;
};
template <>
struct WrapAround<Int128> {
    __extension__ typedef unsigned __int128 type;
};

/// Arithmetic in software, and a complex product, choose among several NaN by more than the place
/// of the operands; what they give is made the same one.
template <typename Number>
Number with_one_nan(Number number) {
    return number == number ? number : static_cast<Number>(__builtin_nanf(""));
}

/// The result of processors' own arithmetic as it is.
template <typename Number>
Number settled(Number number) {
#ifdef TASUKI_HAS_FLOAT128
    if constexpr (std::is_same_v<Number, Float128>) return with_one_nan(number);
#endif
    return number;
}

struct Sum {
    template <typename Number>
    static Number of(Number left, Number right) {
        using Wide = typename WrapAround<Number>::type;
        return settled(static_cast<Number>(static_cast<Wide>(left) + static_cast<Wide>(right)));
    }
    template <typename Part>
    static Complex<Part> of(Complex<Part> left, Complex<Part> right) {
        return {of(left.real, right.real), of(left.imaginary, right.imaginary)};
    }
};

/// Whether a floating-point number is an infinity.
template <typename Part>
bool is_infinite(Part number) {
    return number == number && number - number != number - number;
}

/// What an infinite number is bounded to in a product that must tell its direction only.
template <typename Part>
Part direction(Part number) {
    return is_infinite(number) ? (number > 0 ? 1 : -1) : 0;
}

/// C's annex G: a product with an infinite factor is infinite, unless the other one is zero or NaN.
template <typename Part>
Complex<Part> recovered_product(Complex<Part> left, Complex<Part> right, Complex<Part> product) {
    if (product.real == product.real || product.imaginary == product.imaginary) return product;
    const auto is_infinite_anywhere = [](Complex<Part> number) {
        return is_infinite(number.real) || is_infinite(number.imaginary);
    };
    const auto without_nan = [](Complex<Part> number) {
        return Complex<Part>{number.real == number.real ? number.real : 0,
                             number.imaginary == number.imaginary ? number.imaginary : 0};
    };
    const auto directions = [](Complex<Part> number) {
        return Complex<Part>{direction(number.real), direction(number.imaginary)};
    };
    bool is_recovered = false;
    if (is_infinite_anywhere(left)) {
        left = directions(left);
        right = without_nan(right);
        is_recovered = true;
    }
    if (is_infinite_anywhere(right)) {
        right = directions(right);
        left = without_nan(left);
        is_recovered = true;
    }
    if (!is_recovered &&
        (is_infinite(left.real * right.real) || is_infinite(left.imaginary * right.imaginary) ||
         is_infinite(left.real * right.imaginary) || is_infinite(left.imaginary * right.real))) {
        left = without_nan(left);
        right = without_nan(right);
        is_recovered = true;
    }
    if (!is_recovered) return product;
    const Part infinity = static_cast<Part>(__builtin_inff());
    return {infinity * (left.real * right.real - left.imaginary * right.imaginary),
            infinity * (left.real * right.imaginary + left.imaginary * right.real)};
}

struct Product {
    template <typename Number>
    static Number of(Number left, Number right) {
        using Wide = typename WrapAround<Number>::type;
        return settled(static_cast<Number>(static_cast<Wide>(left) * static_cast<Wide>(right)));
    }
    template <typename Part>
    static Complex<Part> of(Complex<Part> left, Complex<Part> right) {
        const Complex<Part> product{left.real * right.real - left.imaginary * right.imaginary,
                                    left.real * right.imaginary + left.imaginary * right.real};
        if (product.real == product.real && product.imaginary == product.imaginary) [[likely]]
            return product;
        const Complex<Part> recovered = recovered_product(left, right, product);
        return {with_one_nan(recovered.real), with_one_nan(recovered.imaginary)};
    }
};

// Where neither is greater (equal, signed zeros, a NaN) the right operand is the result.
struct Maximum {
    template <typename Number>
    static Number of(Number left, Number right) {
        return left > right ? left : right;
    }
};
struct Minimum {
    template <typename Number>
    static Number of(Number left, Number right) {
        return left < right ? left : right;
    }
};

struct BitwiseAnd {
    template <typename Number>
    static Number of(Number left, Number right) {
        return left & right;
    }
};
struct BitwiseOr {
    template <typename Number>
    static Number of(Number left, Number right) {
        return left | right;
    }
};
struct BitwiseXor {
    template <typename Number>
    static Number of(Number left, Number right) {
        return left ^ right;
    }
};

/// C's logical values: whatever is not 0 is true; results are 0 and 1.
struct LogicalAnd {
    template <typename Number>
    static Number of(Number left, Number right) {
        return static_cast<Number>((left != 0) & (right != 0));
    }
};
struct LogicalOr {
    template <typename Number>
    static Number of(Number left, Number right) {
        return static_cast<Number>((left | right) != 0);
    }
};
struct LogicalXor {
    template <typename Number>
    static Number of(Number left, Number right) {
        return static_cast<Number>((left != 0) != (right != 0));
    }
};

/// Fortran's: compilers differ in what .true. is (1, or all bits), so true is what operands had.
template <typename Logical>
struct FortranLogical {
    template <typename Number>
    static Number of(Number left, Number right) {
        return Logical::of(left, right) != 0 ? left | right : Number{0};
    }
};

/// The lesser index of equal values; the right operand where values cannot be compared.
template <typename Ordered>
struct LocationOf {
    template <typename Pair>
    static Pair of(Pair left, Pair right) {
        if (left.value == right.value) {
            return {right.value, left.index < right.index ? left.index : right.index};
        }
        return Ordered::is_better(left.value, right.value) ? left : right;
    }
};
struct Greater {
    template <typename Value>
    static bool is_better(Value left, Value right) {
        return left > right;
    }
};
struct Less {
    template <typename Value>
    static bool is_better(Value left, Value right) {
        return left < right;
    }
};

template <Operation operation, Family family>
constexpr auto choose_operator() {
    constexpr bool is_fortran = family == Family::fortran_logical;
    if constexpr (operation == Operation::max) return Maximum{};
    if constexpr (operation == Operation::min) return Minimum{};
    if constexpr (operation == Operation::sum) return Sum{};
    if constexpr (operation == Operation::prod) return Product{};
    if constexpr (operation == Operation::band) return BitwiseAnd{};
    if constexpr (operation == Operation::bor) return BitwiseOr{};
    if constexpr (operation == Operation::bxor) return BitwiseXor{};
    if constexpr (operation == Operation::maxloc) return LocationOf<Greater>{};
    if constexpr (operation == Operation::minloc) return LocationOf<Less>{};
    if constexpr (operation == Operation::land) {
        return std::conditional_t<is_fortran, FortranLogical<LogicalAnd>, LogicalAnd>{};
    }
    if constexpr (operation == Operation::lor) {
        return std::conditional_t<is_fortran, FortranLogical<LogicalOr>, LogicalOr>{};
    }
    if constexpr (operation == Operation::lxor) {
        return std::conditional_t<is_fortran, FortranLogical<LogicalXor>, LogicalXor>{};
    }
}
/// The operator of an operation on elements of a family.
template <Operation operation, Family family>
using OperatorOf = decltype(choose_operator<operation, family>());

}  // namespace
}  // namespace tasuki::reduction

// Vectors of the instruction set that the including file is compiled for, by the vector extension
// of GCC and Clang. In an anonymous namespace, as operators.hpp says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace tasuki::reduction {
namespace {

#if defined(__AVX512F__)
constexpr std::size_t vector_bytes = 64;
#elif defined(__AVX2__)
constexpr std::size_t vector_bytes = 32;
#else
constexpr std::size_t vector_bytes = 16;
#endif

typedef float Floats __attribute__((vector_size(vector_bytes)));
typedef double Doubles __attribute__((vector_size(vector_bytes)));
typedef std::int64_t Words __attribute__((vector_size(vector_bytes)));
typedef std::uint64_t UnsignedWords __attribute__((vector_size(vector_bytes)));
typedef float HalfFloats __attribute__((vector_size(vector_bytes / 2)));

template <typename Number>
struct VectorOf;
template <>
struct VectorOf<float> {
    using type = Floats;
};
template <>
struct VectorOf<double> {
    using type = Doubles;
};

constexpr std::size_t double_lanes = vector_bytes / sizeof(double);

/// From and to any address: copies of a size known to the compiler are single moves.
template <typename Value>
[[gnu::always_inline]] inline Value load(const void* address) {
    Value value;
    __builtin_memcpy(&value, address, sizeof value);
    return value;
}
template <typename Value>
[[gnu::always_inline]] inline void store(void* address, const Value& value) {
    __builtin_memcpy(address, &value, sizeof value);
}

// Operators on vectors and single numbers whose operands keep their order. x86 passes on the left
// one of two NaN in sums and products, and the right operand of max and min where neither is
// greater; compilers take themselves the right to swap operands, or need two instructions for max.
// Named registers keep the order, so that also these bits depend on nothing but the operands.
#if defined(__AVX__)
#define TASUKI_IN_ORDER(instruction) \
    asm("v" instruction " %2, %1, %0" : "=v"(result) : "v"(left), "v"(right))
#elif defined(__x86_64__)
#define TASUKI_IN_ORDER(instruction) \
    asm(instruction " %1, %0" : "=x"(result) : "x"(right), "0"(left))
#endif

#ifdef TASUKI_IN_ORDER
#define TASUKI_ORDERED_OPERATOR(name, instruction, plain)                    \
    struct name {                                                            \
        template <typename Vector>                                           \
        [[gnu::always_inline]] static Vector of(Vector left, Vector right) { \
            Vector result;                                                   \
            if constexpr (std::is_same_v<Vector, float>) {                   \
                TASUKI_IN_ORDER(instruction "ss");                           \
            } else if constexpr (std::is_same_v<Vector, double>) {           \
                TASUKI_IN_ORDER(instruction "sd");                           \
            } else if constexpr (sizeof(left[0]) == sizeof(float)) {         \
                TASUKI_IN_ORDER(instruction "ps");                           \
            } else {                                                         \
                TASUKI_IN_ORDER(instruction "pd");                           \
            }                                                                \
            return result;                                                   \
        }                                                                    \
    };
#else
#define TASUKI_ORDERED_OPERATOR(name, instruction, plain)                    \
    struct name {                                                            \
        template <typename Vector>                                           \
        [[gnu::always_inline]] static Vector of(Vector left, Vector right) { \
            return plain;                                                    \
        }                                                                    \
    };
#endif
TASUKI_ORDERED_OPERATOR(OrderedSum, "add", left + right)
TASUKI_ORDERED_OPERATOR(OrderedProduct, "mul", left* right)
TASUKI_ORDERED_OPERATOR(OrderedMaximum, "max", left > right ? left : right)
TASUKI_ORDERED_OPERATOR(OrderedMinimum, "min", left < right ? left : right)

}  // namespace
}  // namespace tasuki::reduction

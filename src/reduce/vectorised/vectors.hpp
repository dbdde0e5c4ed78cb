// Vectors of the instruction set that the including file is compiled for, by the vector extension
// of GCC and Clang. In an anonymous namespace, as operators.hpp says.
#pragma once

#include <cstddef>
#include <cstdint>

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

// x86 passes on the left one of two NaN, and compilers take themselves the right to swap operands.
// Named registers keep their order, so that also these bits depend on nothing but the operands.
#if defined(__AVX__)
#define TASUKI_ORDERED(instruction, suffix) \
    asm("v" instruction suffix " %2, %1, %0" : "=v"(result) : "v"(left), "v"(right))
#elif defined(__x86_64__)
#define TASUKI_ORDERED(instruction, suffix) \
    asm(instruction suffix " %1, %0" : "=x"(result) : "x"(right), "0"(left))
#endif

/// left + right and left * right with the operands in this order.
struct OrderedSum {
    template <typename Vector>
    [[gnu::always_inline]] static inline Vector of(Vector left, Vector right) {
        Vector result;
#ifdef TASUKI_ORDERED
        if constexpr (sizeof(Vector) == sizeof(float)) {
            TASUKI_ORDERED("add", "ss");
        } else if constexpr (sizeof(Vector) == sizeof(double)) {
            TASUKI_ORDERED("add", "sd");
        } else if constexpr (sizeof(left[0]) == sizeof(float)) {
            TASUKI_ORDERED("add", "ps");
        } else {
            TASUKI_ORDERED("add", "pd");
        }
#else
        result = left + right;
#endif
        return result;
    }
};
struct OrderedProduct {
    template <typename Vector>
    [[gnu::always_inline]] static inline Vector of(Vector left, Vector right) {
        Vector result;
#ifdef TASUKI_ORDERED
        if constexpr (sizeof(Vector) == sizeof(float)) {
            TASUKI_ORDERED("mul", "ss");
        } else if constexpr (sizeof(Vector) == sizeof(double)) {
            TASUKI_ORDERED("mul", "sd");
        } else if constexpr (sizeof(left[0]) == sizeof(float)) {
            TASUKI_ORDERED("mul", "ps");
        } else {
            TASUKI_ORDERED("mul", "pd");
        }
#else
        result = left * right;
#endif
        return result;
    }
};

}  // namespace
}  // namespace tasuki::reduction

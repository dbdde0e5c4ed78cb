// Every kernel against a loop as a person would write it, and against itself elsewhere.
#include <complex>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <type_traits>
#include <vector>

#include "reduce/kernel.hpp"
#include "reduce/sample_elements.hpp"

namespace tasuki::reduction {
namespace {

std::vector<InstructionSet> sets_of_this_processor() {
    std::vector<InstructionSet> sets;
    for (std::size_t set = 0; set <= static_cast<std::size_t>(best_instruction_set()); ++set) {
        sets.push_back(static_cast<InstructionSet>(set));
    }
    return sets;
}

/// left op right, for types whose values the language itself combines.
template <typename Number>
Number plain(Operation operation, Number left, Number right) {
    switch (operation) {
        case Operation::max:
            return left > right ? left : right;
        case Operation::min:
            return left < right ? left : right;
        case Operation::sum:
        case Operation::prod:
            if constexpr (std::is_integral_v<Number>) {
                const auto a = static_cast<std::uint64_t>(left);
                const auto b = static_cast<std::uint64_t>(right);
                return static_cast<Number>(operation == Operation::sum ? a + b : a * b);
            } else {
                return operation == Operation::sum ? left + right : left * right;
            }
        default:
            break;
    }
    if constexpr (std::is_integral_v<Number>) {
        switch (operation) {
            case Operation::land:
                return left && right;
            case Operation::lor:
                return left || right;
            case Operation::lxor:
                return !left != !right;
            case Operation::band:
                return static_cast<Number>(left & right);
            case Operation::bor:
                return static_cast<Number>(left | right);
            case Operation::bxor:
                return static_cast<Number>(left ^ right);
            default:
                break;
        }
    }
    ADD_FAILURE() << "no plain " << operation_names[static_cast<std::size_t>(operation)];
    return left;
}

template <typename Number>
bool is_same_number(Number one, Number other) {
    if (one != one) return other != other;
    return one == other && std::signbit(static_cast<long double>(one)) ==
                               std::signbit(static_cast<long double>(other));
}

/// Whether `result` is what the language gives for left op right.
template <Element element>
bool is_right(Operation operation, TypeOf<element> left, TypeOf<element> right,
              TypeOf<element> result) {
    using Type = TypeOf<element>;
    constexpr Family family = info(element).family;
    if constexpr (family == Family::floating) {
        return is_same_number(plain(operation, left, right), result);
    } else if constexpr (family == Family::complex) {
        using Part = decltype(result.real);
        if constexpr (std::is_floating_point_v<Part>) {  // C's product, by the standard library
            const std::complex<Part> a(left.real, left.imaginary);
            const std::complex<Part> b(right.real, right.imaginary);
            const std::complex<Part> expected = operation == Operation::sum ? a + b : a * b;
            return is_same_number(expected.real(), result.real) &&
                   is_same_number(expected.imag(), result.imaginary);
        }
        return true;
    } else if constexpr (family == Family::pair) {
        const bool takes_left =
            operation == Operation::maxloc ? left.value > right.value : left.value < right.value;
        Type expected = takes_left ? left : right;
        if (left.value == right.value) expected.index = std::min(left.index, right.index);
        return is_same_number(expected.value, result.value) && expected.index == result.index;
    } else if constexpr (family == Family::fortran_logical) {
        const bool expected = plain(operation, left, right) != 0;
        return (result != 0) == expected && (result == 0 || result == (left | right));
    } else if constexpr (element == Element::int128) {
        const Int128 bits = operation == Operation::band   ? left & right
                            : operation == Operation::bor  ? left | right
                            : operation == Operation::bxor ? left ^ right
                                                           : result;
        return bits == result;
    } else {
        return plain(operation, left, right) == result;
    }
}

/// An array of elements that begins `offset` bytes after a multiple of 64, with bytes around it
/// that nobody may write.
class Guarded {
  public:
    Guarded(std::size_t bytes, std::size_t offset)
        : memory_(bytes + 256, std::byte{0xa5}), bytes_(bytes) {
        const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
        begin_ = (64 - address % 64) % 64 + 64 + offset;
    }
    std::byte* data() { return memory_.data() + begin_; }
    bool is_intact_around() const {
        for (std::size_t i = 0; i < memory_.size(); ++i) {
            if ((i < begin_ || i >= begin_ + bytes_) && memory_[i] != std::byte{0xa5}) return false;
        }
        return true;
    }

  private:
    std::vector<std::byte> memory_;
    std::size_t bytes_;
    std::size_t begin_;
};

template <Element element>
class KernelsOf {
    using Type = TypeOf<element>;

  public:
    static void check(Operation operation) {
        const std::string name = std::string(operation_names[static_cast<std::size_t>(operation)]) +
                                 " of " + std::string(info(element).name);
        if (!is_defined(operation, info(element).family)) {
            EXPECT_EQ(find_kernel(operation, element), nullptr) << name;
            return;
        }
        ASSERT_NE(find_kernel(operation, element), nullptr) << name;
        Random random(20261121);
        for (std::size_t count : {0, 1, 2, 3, 5, 7, 8, 15, 16, 31, 33, 63, 64, 100, 257}) {
            KernelsOf(count, random).check_all(operation, name);
        }
    }

  private:
    KernelsOf(std::size_t count, Random& random) : left_(count), right_(count) {
        // Paddings are zero everywhere, so that bytes can be compared.
        if (count == 0) return;
        std::memset(static_cast<void*>(left_.data()), 0, count * sizeof(Type));
        std::memset(static_cast<void*>(right_.data()), 0, count * sizeof(Type));
        for (std::size_t i = 0; i < count; ++i) {
            put(left_[i], sample<element>(random));
            put(right_[i], sample<element>(random));
        }
    }

    /// Without what lies in the padding of `value`.
    template <typename Value>
    static void put(Value& place, const Value& value) {
        constexpr std::size_t bytes =
            std::is_same_v<Value, long double> && __LDBL_MANT_DIG__ == 64 ? 10 : sizeof value;
        std::memcpy(static_cast<void*>(&place), &value, bytes);
    }
    template <typename Part>
    static void put(Complex<Part>& place, const Complex<Part>& value) {
        put(place.real, value.real);
        put(place.imaginary, value.imaginary);
    }
    template <typename Value, typename Index>
    static void put(Located<Value, Index>& place, const Located<Value, Index>& value) {
        put(place.value, value.value);
        put(place.index, value.index);
    }

    void check_all(Operation operation, const std::string& name) const {
        const auto expected = run(operation, InstructionSet::baseline, true, 0, 0);
        for (std::size_t i = 0; i < left_.size(); ++i) {
            ASSERT_TRUE(is_right<element>(operation, left_[i], right_[i], expected[i]))
                << name << ", element " << i;
        }
        for (InstructionSet set : sets_of_this_processor()) {
            const auto where =
                name + " with " + std::string(instruction_set_names[static_cast<std::size_t>(set)]);
            for (std::size_t shift = 0; shift < 64; ++shift) {
                for (bool from_left : {true, false}) {
                    const auto result = run(operation, set, from_left, shift, shift * 5 % 64);
                    ASSERT_TRUE(has_equal_bytes(result, expected))
                        << where << (from_left ? ", from the left" : ", from the right")
                        << ", shifted by " << shift << ", count " << left_.size();
                }
            }
        }
    }

    std::vector<Type> run(Operation operation, InstructionSet set, bool from_left,
                          std::size_t from_shift, std::size_t to_shift) const {
        const Kernel* kernel = find_kernel(operation, element, set);
        EXPECT_EQ(kernel->element_bytes, sizeof(Type));
        const std::vector<Type>& from = from_left ? left_ : right_;
        const std::vector<Type>& to = from_left ? right_ : left_;
        const std::size_t bytes = from.size() * sizeof(Type);
        Guarded in(bytes, from_shift);
        Guarded inout(bytes, to_shift);
        if (bytes != 0) std::memcpy(in.data(), from.data(), bytes);
        if (bytes != 0) std::memcpy(inout.data(), to.data(), bytes);
        const auto reduce = from_left ? reduce_from_left : reduce_from_right;
        reduce(*kernel, in.data(), inout.data(), from.size());
        EXPECT_TRUE(in.is_intact_around() && inout.is_intact_around());
        EXPECT_TRUE(bytes == 0 || std::memcmp(in.data(), from.data(), bytes) == 0);
        std::vector<Type> result(from.size());
        if (bytes != 0) std::memcpy(static_cast<void*>(result.data()), inout.data(), bytes);
        return result;
    }

    /// Also padding, which is zero everywhere and must stay so.
    static bool has_equal_bytes(const std::vector<Type>& one, const std::vector<Type>& other) {
        return one.empty() || std::memcmp(one.data(), other.data(), one.size() * sizeof(Type)) == 0;
    }

    std::vector<Type> left_;
    std::vector<Type> right_;
};

class EveryKernel : public testing::TestWithParam<std::size_t> {};

TEST_P(EveryKernel, GivesThePlainLoopsBitsEverywhere) {
    const auto operation = static_cast<Operation>(GetParam());
#define TASUKI_ELEMENT(name, type, family) KernelsOf<Element::name>::check(operation);
#include "reduce/elements.inc"
#undef TASUKI_ELEMENT
}

INSTANTIATE_TEST_SUITE_P(Operations, EveryKernel, testing::Range(std::size_t{0}, operations),
                         [](const auto& number) {
                             return std::string(operation_names[number.param]);
                         });

}  // namespace
}  // namespace tasuki::reduction

// The loops over elements and the table of them, for the instruction set that the including file is
// compiled for. In an anonymous namespace, as operators.hpp says.
#pragma once

#include <cstddef>
#include <utility>

#include "reduce/operators.hpp"
#include "reduce/vectorised/kernel_table.hpp"
#include "reduce/vectorised/vectors.hpp"

namespace tasuki::reduction {
namespace {

/// Which buffer holds the left operand.
enum class Side : std::uint8_t { left, right };

template <typename Operator, Side from_side, typename Number>
[[gnu::always_inline]] inline Number combine(Number from, Number to) {
    return from_side == Side::left ? Operator::of(from, to) : Operator::of(to, from);
}

// Padding inside and after elements belongs to nobody: it is not written.
template <typename Number>
[[gnu::always_inline]] inline void store_element(std::byte* address, Number value) {
    store(address, value);
}
[[gnu::always_inline]] inline void store_element(std::byte* address, long double value) {
    constexpr bool is_extended = __LDBL_MANT_DIG__ == 64;
    __builtin_memcpy(address, &value, is_extended ? 10 : sizeof value);
}
template <typename Part>
[[gnu::always_inline]] inline void store_element(std::byte* address, Complex<Part> value) {
    store_element(address, value.real);
    store_element(address + sizeof value.real, value.imaginary);
}
template <typename Value, typename Index>
[[gnu::always_inline]] inline void store_element(std::byte* address, Located<Value, Index> value) {
    using Pair = Located<Value, Index>;
    store_element(address, value.value);
    store_element(address + offsetof(Pair, index), value.index);
}

/// One element after the other; compilers make vectors of it where they can.
template <typename Operator, typename Number, Side from_side>
void each(const std::byte* __restrict from, std::byte* __restrict to, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const Number result = combine<Operator, from_side>(load<Number>(from + i * sizeof(Number)),
                                                           load<Number>(to + i * sizeof(Number)));
        store_element(to + i * sizeof(Number), result);
    }
}

/// Vector after vector, with operands kept in order.
template <typename Operator, typename Number, Side from_side>
void each_in_order(const std::byte* __restrict from, std::byte* __restrict to, std::size_t count) {
    using Vector = typename VectorOf<Number>::type;
    constexpr std::size_t lanes = sizeof(Vector) / sizeof(Number);
    constexpr std::size_t unrolled = 4;
    std::size_t bytes = count * sizeof(Number);
    const auto step = [&]<typename Part>(std::size_t offset, Part) {
        store(to + offset,
              combine<Operator, from_side>(load<Part>(from + offset), load<Part>(to + offset)));
    };
    for (; bytes >= unrolled * sizeof(Vector); bytes -= unrolled * sizeof(Vector)) {
        Vector results[unrolled];
        for (std::size_t i = 0; i < unrolled; ++i) {
            results[i] = combine<Operator, from_side>(load<Vector>(from + i * sizeof(Vector)),
                                                      load<Vector>(to + i * sizeof(Vector)));
        }
        for (std::size_t i = 0; i < unrolled; ++i) store(to + i * sizeof(Vector), results[i]);
        from += unrolled * sizeof(Vector);
        to += unrolled * sizeof(Vector);
    }
    std::size_t offset = 0;
    for (; offset + sizeof(Vector) <= bytes; offset += sizeof(Vector)) step(offset, Vector{});
    for (; offset < bytes; offset += sizeof(Number)) step(offset, Number{});
    static_assert(lanes > 1);
}

/// Long buffers are combined from where vectors of `to` do not straddle cache lines.
template <KernelFunction* loop, typename Number>
void aligned(const std::byte* from, std::byte* to, std::size_t count) {
    constexpr std::size_t fewest_bytes = 32 * vector_bytes;
    const std::size_t beyond = reinterpret_cast<std::uintptr_t>(to) % vector_bytes;
    if (beyond % sizeof(Number) == 0 && beyond != 0 && count >= fewest_bytes / sizeof(Number)) {
        const std::size_t head = (vector_bytes - beyond) / sizeof(Number);
        loop(from, to, head);
        from += head * sizeof(Number);
        to += head * sizeof(Number);
        count -= head;
    }
    loop(from, to, count);
}

/// Whether `operation` on numbers of a type is worth compiling for every instruction set.
constexpr bool is_vectorised(Operation operation, Element element) {
    const ElementInfo& type = info(element);
    if (!is_defined(operation, type.family)) return false;
    if (type.family == Family::integer) return type.bytes <= 8;
    return element == Element::float32 || element == Element::float64 ||
           type.family == Family::fortran_logical || type.family == Family::byte;
}

/// Results of integers do not depend on the sign of their type here, so one loop serves both.
template <Operation operation, typename Number>
constexpr auto choose_number() {
    constexpr bool has_order = operation == Operation::max || operation == Operation::min;
    if constexpr (std::is_integral_v<Number> && !has_order) {
        return std::make_unsigned_t<Number>{};
    } else {
        return Number{};
    }
}

template <Operation operation>
constexpr auto choose_ordered() {
    if constexpr (operation == Operation::sum) return OrderedSum{};
    if constexpr (operation == Operation::prod) return OrderedProduct{};
    if constexpr (operation == Operation::max) return OrderedMaximum{};
    if constexpr (operation == Operation::min) return OrderedMinimum{};
}

template <Operation operation, Element element>
constexpr KernelPair pair_of() {
    using Number = decltype(choose_number<operation, TypeOf<element>>());
    if constexpr (std::is_same_v<Number, float> || std::is_same_v<Number, double>) {
        using Operator = decltype(choose_ordered<operation>());
        return {aligned<each_in_order<Operator, Number, Side::left>, Number>,
                aligned<each_in_order<Operator, Number, Side::right>, Number>};
    } else {
        using Operator = OperatorOf<operation, info(element).family>;
        if constexpr (std::is_integral_v<Number>) {
            // The sides are alike.
            constexpr KernelFunction* loop = aligned<each<Operator, Number, Side::left>, Number>;
            return {loop, loop};
        } else {
            return {each<Operator, Number, Side::left>, each<Operator, Number, Side::right>};
        }
    }
}

/// Fills a row of the table for the elements that `is_wanted` names.
template <auto is_wanted, Operation operation, std::size_t... element>
constexpr void fill_row(KernelTable& table, std::index_sequence<element...>) {
    const auto fill = [&]<std::size_t number>(std::integral_constant<std::size_t, number>) {
        constexpr Element of = static_cast<Element>(number);
        if constexpr (is_wanted(operation, of)) {
            table.pairs[static_cast<std::size_t>(operation)][number] = pair_of<operation, of>();
        }
    };
    (fill(std::integral_constant<std::size_t, element>{}), ...);
}

template <auto is_wanted, std::size_t... operation>
constexpr KernelTable make_table(std::index_sequence<operation...>) {
    KernelTable table{};
    (fill_row<is_wanted, static_cast<Operation>(operation)>(table,
                                                            std::make_index_sequence<elements>{}),
     ...);
    return table;
}

}  // namespace
}  // namespace tasuki::reduction

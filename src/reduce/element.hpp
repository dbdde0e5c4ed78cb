// The types of elements that kernels know.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "reduce/operation.hpp"

namespace tasuki::reduction {

__extension__ typedef __int128 Int128;
#if defined(__SIZEOF_FLOAT128__) && defined(__x86_64__)
// Fortran's real(16), where long double is not that already.
#define TASUKI_HAS_FLOAT128 1
__extension__ typedef __float128 Float128;
#endif

/// As the complex types of C and Fortran lie in memory.
template <typename Part>
struct Complex {
    Part real;
    Part imaginary;
};

/// The element of MINLOC and MAXLOC: C's `struct { Value value; int index; }`.
template <typename Value, typename Index = int>
struct Located {
    Value value;
    Index index;
};
/// Fortran's pairs of equal types.
template <typename Value>
using PairOf = Located<Value, Value>;

/// What the MPI standard groups types into; it says which operations a type has.
enum class Family : std::uint8_t {
    integer,
    floating,
    complex,
    c_logical,
    fortran_logical,
    byte,
    pair,
};

enum class Element : std::uint8_t {
#define TASUKI_ELEMENT(name, type, family) name,
#include "reduce/elements.inc"
#undef TASUKI_ELEMENT
};

struct ElementInfo {
    std::string_view name;
    std::size_t bytes;  ///< distance of neighbours in an array
    Family family;
};

/// [Element]
inline constexpr ElementInfo element_infos[] = {
#define TASUKI_ELEMENT(name, type, family) {#name, sizeof(type), Family::family},
#include "reduce/elements.inc"
#undef TASUKI_ELEMENT
};
inline constexpr std::size_t elements = sizeof element_infos / sizeof element_infos[0];

constexpr const ElementInfo& info(Element element) {
    return element_infos[static_cast<std::size_t>(element)];
}

/// What MPI's types are numbers of; together with a size it names an element.
enum class NumberKind : std::uint8_t {
    signed_integer,
    unsigned_integer,
    floating,  ///< C's
    complex,
    fortran_floating,  ///< differs from C's in what 16 bytes are
    fortran_complex,
    c_logical,
    fortran_logical,
    byte,
};

/// The element that is such a number of so many bytes; nothing if kernels do not know it.
std::optional<Element> find_element(NumberKind kind, std::size_t bytes);

template <Element element>
struct TypeOfElement;
#define TASUKI_ELEMENT(name, of_type, family) \
    template <>                               \
    struct TypeOfElement<Element::name> {     \
        using type = of_type;                 \
    };
#include "reduce/elements.inc"
#undef TASUKI_ELEMENT
template <Element element>
using TypeOf = typename TypeOfElement<element>::type;

/// Whether MPI defines `operation` for elements of this family.
constexpr bool is_defined(Operation operation, Family family) {
    switch (operation) {
        case Operation::max:
        case Operation::min:
            return family == Family::integer || family == Family::floating;
        case Operation::sum:
        case Operation::prod:
            return family == Family::integer || family == Family::floating ||
                   family == Family::complex;
        case Operation::land:
        case Operation::lor:
        case Operation::lxor:
            return family == Family::integer || family == Family::c_logical ||
                   family == Family::fortran_logical;
        case Operation::band:
        case Operation::bor:
        case Operation::bxor:
            return family == Family::integer || family == Family::byte;
        case Operation::maxloc:
        case Operation::minloc:
            return family == Family::pair;
    }
    return false;
}

}  // namespace tasuki::reduction

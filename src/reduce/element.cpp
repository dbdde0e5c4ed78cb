#include "reduce/element.hpp"

namespace tasuki::reduction {

namespace {

struct Row {
    NumberKind kind;
    Element element;
};

// Of each kind the elements of different sizes.
constexpr Row rows[] = {
    {NumberKind::signed_integer, Element::int8},
    {NumberKind::signed_integer, Element::int16},
    {NumberKind::signed_integer, Element::int32},
    {NumberKind::signed_integer, Element::int64},
    {NumberKind::signed_integer, Element::int128},
    {NumberKind::unsigned_integer, Element::uint8},
    {NumberKind::unsigned_integer, Element::uint16},
    {NumberKind::unsigned_integer, Element::uint32},
    {NumberKind::unsigned_integer, Element::uint64},
    {NumberKind::floating, Element::float32},
    {NumberKind::floating, Element::float64},
    {NumberKind::floating, Element::long_double},
    {NumberKind::complex, Element::complex32},
    {NumberKind::complex, Element::complex64},
    {NumberKind::complex, Element::complex_long_double},
    {NumberKind::fortran_floating, Element::float32},
    {NumberKind::fortran_floating, Element::float64},
    {NumberKind::fortran_complex, Element::complex32},
    {NumberKind::fortran_complex, Element::complex64},
#ifdef TASUKI_HAS_FLOAT128
    {NumberKind::fortran_floating, Element::float128},
    {NumberKind::fortran_complex, Element::complex_float128},
#else  // long double has as many digits there
    {NumberKind::fortran_floating, Element::long_double},
    {NumberKind::fortran_complex, Element::complex_long_double},
#endif
    {NumberKind::c_logical, Element::c_bool},
    {NumberKind::fortran_logical, Element::logical8},
    {NumberKind::fortran_logical, Element::logical16},
    {NumberKind::fortran_logical, Element::logical32},
    {NumberKind::fortran_logical, Element::logical64},
    {NumberKind::byte, Element::byte},
};

}  // namespace

std::optional<Element> find_element(NumberKind kind, std::size_t bytes) {
    for (const Row& row : rows) {
        if (row.kind == kind && info(row.element).bytes == bytes) return row.element;
    }
    return std::nullopt;
}

}  // namespace tasuki::reduction

#include "transport/host/packing_probe.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "transport/host/check.hpp"
#include "transport/host/type_contents.hpp"

namespace tasuki::host {

namespace {

/// Two numbers with as large a gap as a part of them, so as the elements of an array of structs
/// that have one more.
template <typename Real>
bool packs_two(MPI_Datatype complex) {
    constexpr int stride = 3;
    constexpr Real gap = -1;
    MPI_Datatype two = MPI_DATATYPE_NULL;
    check(PMPI_Type_create_hvector(2, 1, stride * sizeof(Real), complex, &two));
    check(PMPI_Type_commit(&two));
    const std::array<Real, 6> apart = {1, 2, gap, 3, 4, gap};
    const std::array<Real, 4> together = {1, 2, 3, 4};
    std::array<Real, 4> packed = {};
    std::array<Real, 6> unpacked;
    unpacked.fill(gap);
    int position = 0;
    const int packing =
        PMPI_Pack(apart.data(), 1, two, packed.data(), sizeof packed, &position, MPI_COMM_SELF);
    position = 0;
    const int unpacking = PMPI_Unpack(together.data(), sizeof together, &position, unpacked.data(),
                                      1, two, MPI_COMM_SELF);
    check(PMPI_Type_free(&two));
    check(packing);
    check(unpacking);
    return packed == together && unpacked == apart;
}

bool is_complex_number(MPI_Datatype predefined) {
    // Not constants: Open MPI's handles are addresses in a library that is there at run time.
    static const MPI_Datatype names[] = {
        MPI_C_FLOAT_COMPLEX,   MPI_C_DOUBLE_COMPLEX,   MPI_C_LONG_DOUBLE_COMPLEX,
        MPI_CXX_FLOAT_COMPLEX, MPI_CXX_DOUBLE_COMPLEX, MPI_CXX_LONG_DOUBLE_COMPLEX,
        MPI_COMPLEX,           MPI_DOUBLE_COMPLEX,     MPI_COMPLEX8,
        MPI_COMPLEX16,
#ifdef MPI_COMPLEX4
        MPI_COMPLEX4,
#endif
#ifdef MPI_COMPLEX32
        MPI_COMPLEX32,
#endif
#ifdef MPI_2COMPLEX
        MPI_2COMPLEX,          MPI_2DOUBLE_COMPLEX,
#endif
    };
    return std::ranges::find(names, predefined) != std::end(names);
}

}  // namespace

bool host_packs_complex_numbers() {
    static const bool is_right =
        packs_two<float>(MPI_C_FLOAT_COMPLEX) && packs_two<double>(MPI_C_DOUBLE_COMPLEX);
    return is_right;
}

bool has_complex_numbers(MPI_Datatype type) {
    const Envelope envelope(type);
    if (envelope.combiner == MPI_COMBINER_F90_COMPLEX) return true;
    if (envelope.is_predefined()) return is_complex_number(type);
    const TypeContents contents(type, envelope);
    return std::ranges::any_of(contents.types(), has_complex_numbers);
}

}  // namespace tasuki::host

#include "interpose/predefined.hpp"

#include "transport/host/check.hpp"

namespace tasuki::interpose {

namespace {

using reduction::Element;
using reduction::NumberKind;
using reduction::Operation;

struct OperationName {
    MPI_Op handle;
    Operation operation;
};

struct NumberName {
    MPI_Datatype handle;
    NumberKind kind;
};

struct PairName {
    MPI_Datatype handle;
    Element element;
};

/// Whether the host takes an element of `type`, which is as large as `Parts` of `Number`, for
/// these.
template <typename Number, int Parts>
bool host_adds(MPI_Datatype type) {
    Number mine[Parts];
    Number sum[Parts];
    for (int part = 0; part < Parts; ++part) {
        mine[part] = static_cast<Number>(1.5);
        sum[part] = static_cast<Number>(2.25 + part);
    }
    if (PMPI_Reduce_local(mine, sum, 1, type, MPI_SUM) != MPI_SUCCESS) return false;
    bool holds = true;
    for (int part = 0; part < Parts; ++part) {
        holds = holds && sum[part] == static_cast<Number>(3.75 + part);
    }
    return holds;
}

/// Of 16 bytes for each of `Parts` numbers. Of the kinds that have so many some compilers give long
/// double, of 80 bits on x86-64, to who asks for 18 digits, and others numbers of 113 binary
/// digits: the host says which, by adding two.
template <int Parts>
std::optional<NumberKind> kind_of_wide(MPI_Datatype type, NumberKind as_long_double,
                                       NumberKind as_widest) {
    if (host_adds<long double, Parts>(type)) return as_long_double;
#ifdef TASUKI_HAS_FLOAT128
    if (host_adds<reduction::Float128, Parts>(type)) return as_widest;
#endif
    return std::nullopt;
}

/// Types that were asked for by their precision and range; they have no names.
std::optional<NumberKind> kind_of_made_to_measure(MPI_Datatype type, MPI_Count bytes) {
    int integers = 0, addresses = 0, types = 0, combiner = MPI_COMBINER_NAMED;
    host::check(PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner));
    switch (combiner) {
        case MPI_COMBINER_F90_REAL:
            if (bytes < 16) return NumberKind::fortran_floating;
            return kind_of_wide<1>(type, NumberKind::floating, NumberKind::fortran_floating);
        case MPI_COMBINER_F90_COMPLEX:
            if (bytes < 32) return NumberKind::fortran_complex;
            return kind_of_wide<2>(type, NumberKind::complex, NumberKind::fortran_complex);
        case MPI_COMBINER_F90_INTEGER:
            return NumberKind::signed_integer;
        default:
            return std::nullopt;
    }
}

std::optional<NumberKind> kind_of(MPI_Datatype type, MPI_Count bytes) {
    // Not constants: Open MPI's handles are addresses in a library that is there at run time.
    static const NumberName names[] = {
#define TASUKI_MPI_NUMBER(handle, kind) {handle, NumberKind::kind},
#include "reduce/mpi_names.inc"
#undef TASUKI_MPI_NUMBER
    };
    for (const NumberName& name : names) {
        if (name.handle == type) return name.kind;
    }
    return kind_of_made_to_measure(type, bytes);
}

std::optional<Element> pair_of(MPI_Datatype type, const host::TypeLayout& layout) {
    static const PairName names[] = {
#define TASUKI_MPI_PAIR(handle, element) {handle, Element::element},
#include "reduce/mpi_names.inc"
#undef TASUKI_MPI_PAIR
    };
    for (const PairName& name : names) {
        if (name.handle != type) continue;
        const auto bytes = static_cast<MPI_Count>(reduction::info(name.element).bytes);
        if (bytes == layout.extent) return name.element;
    }
    return std::nullopt;
}

}  // namespace

std::optional<Operation> predefined_operation(MPI_Op operation) {
    static const OperationName names[] = {
#define TASUKI_MPI_OPERATION(handle, operation) {handle, Operation::operation},
#include "reduce/mpi_names.inc"
#undef TASUKI_MPI_OPERATION
    };
    for (const OperationName& name : names) {
        if (name.handle == operation) return name.operation;
    }
    return std::nullopt;
}

bool is_no_reduction(MPI_Op operation) {
    return operation == MPI_OP_NULL || operation == MPI_REPLACE || operation == MPI_NO_OP;
}

std::optional<Element> predefined_element(MPI_Datatype type, const host::TypeLayout& layout) {
    if (const auto pair = pair_of(type, layout)) return pair;
    if (layout.size != layout.extent) return std::nullopt;
    const auto kind = kind_of(type, layout.size);
    if (!kind) return std::nullopt;
    return reduction::find_element(*kind, static_cast<std::size_t>(layout.size));
}

}  // namespace tasuki::interpose

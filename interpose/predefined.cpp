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

/// Types that were asked for by their precision and range; they have no names.
std::optional<NumberKind> kind_of_made_to_measure(MPI_Datatype type) {
    int integers = 0, addresses = 0, types = 0, combiner = MPI_COMBINER_NAMED;
    host::check(PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner));
    if (combiner == MPI_COMBINER_F90_REAL) return NumberKind::fortran_floating;
    if (combiner == MPI_COMBINER_F90_COMPLEX) return NumberKind::fortran_complex;
    if (combiner == MPI_COMBINER_F90_INTEGER) return NumberKind::signed_integer;
    return std::nullopt;
}

std::optional<NumberKind> kind_of(MPI_Datatype type) {
    // Not constants: Open MPI's handles are addresses in a library that is there at run time.
    static const NumberName names[] = {
#define TASUKI_MPI_NUMBER(handle, kind) {handle, NumberKind::kind},
#include "reduce/mpi_names.inc"
#undef TASUKI_MPI_NUMBER
    };
    for (const NumberName& name : names) {
        if (name.handle == type) return name.kind;
    }
    return kind_of_made_to_measure(type);
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
    const auto kind = kind_of(type);
    if (!kind || layout.size != layout.extent) return std::nullopt;
    return reduction::find_element(*kind, static_cast<std::size_t>(layout.size));
}

}  // namespace tasuki::interpose

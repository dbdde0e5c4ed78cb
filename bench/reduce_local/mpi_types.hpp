// What this host calls the elements of kernels.
#pragma once

#include <mpi.h>
#include <optional>
#include <string>
#include <vector>

#include "reduce/kernel.hpp"

namespace tasuki::reduction {

struct MpiType {
    std::string name;
    MPI_Datatype handle;
    Element element;
};

struct MpiOperation {
    std::string name;
    MPI_Op handle;
    Operation operation;
};

inline void add_number(std::vector<MpiType>& types, const char* name, MPI_Datatype handle,
                       NumberKind kind) {
    int bytes = 0;
    // A host without Fortran has no such types.
    if (handle == MPI_DATATYPE_NULL || MPI_Type_size(handle, &bytes) != MPI_SUCCESS) return;
    const auto element = find_element(kind, static_cast<std::size_t>(bytes));
    if (element) types.push_back({name, handle, *element});
}

/// Pairs whose layout on this host is that of the kernels.
inline void add_pair(std::vector<MpiType>& types, const char* name, MPI_Datatype handle,
                     Element element) {
    MPI_Aint lower = 0;
    MPI_Aint extent = 0;
    if (handle == MPI_DATATYPE_NULL) return;
    if (MPI_Type_get_extent(handle, &lower, &extent) != MPI_SUCCESS) return;
    if (static_cast<std::size_t>(extent) == info(element).bytes) {
        types.push_back({name, handle, element});
    }
}

inline std::vector<MpiType> mpi_types() {
    std::vector<MpiType> types;
#define TASUKI_MPI_NUMBER(handle, kind) add_number(types, #handle, handle, NumberKind::kind);
#define TASUKI_MPI_PAIR(handle, element) add_pair(types, #handle, handle, Element::element);
#include "reduce/mpi_names.inc"
#undef TASUKI_MPI_PAIR
#undef TASUKI_MPI_NUMBER
    return types;
}

inline std::vector<MpiOperation> mpi_operations() {
    std::vector<MpiOperation> list;
#define TASUKI_MPI_OPERATION(handle, operation) \
    list.push_back({#handle, handle, Operation::operation});
#include "reduce/mpi_names.inc"
#undef TASUKI_MPI_OPERATION
    return list;
}

}  // namespace tasuki::reduction

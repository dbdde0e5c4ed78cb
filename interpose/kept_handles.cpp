#include "interpose/kept_handles.hpp"

namespace tasuki::interpose {

KeptHandles<MPI_Datatype>& kept_types() {
    static auto& kept = *new KeptHandles<MPI_Datatype>(PMPI_Type_free);
    return kept;
}

KeptHandles<MPI_Op>& kept_operations() {
    static auto& kept = *new KeptHandles<MPI_Op>(PMPI_Op_free);
    return kept;
}

}  // namespace tasuki::interpose

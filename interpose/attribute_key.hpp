#pragma once

#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

/// A key for an attribute of communicators; MPI_KEYVAL_INVALID if the host has none to spare.
inline int new_attribute_key(MPI_Comm_copy_attr_function* copy,
                             MPI_Comm_delete_attr_function* forget) {
    int created = MPI_KEYVAL_INVALID;
    PMPI_Comm_create_keyval(copy, forget, &created, nullptr);
    return created;
}

}  // namespace tasuki::interpose

// Parts of arrays of several dimensions: subarrays, and a process's part of a distributed array.
#pragma once

#include <vector>

#include "transport/host/mpi_header.hpp"
#include "transport/host/runs.hpp"

namespace tasuki::host {

/// A type that another is made of.
struct PartOfType {
    Runs runs;
    MPI_Count extent;
};

/// The arguments of MPI_Type_create_subarray and MPI_Type_create_darray. `is_large`: of their calls
/// with large counts, where sizes follow all other numbers. false if the runs are too many.
[[nodiscard]] bool add_subarray(Runs& runs, const PartOfType& part,
                                const std::vector<MPI_Count>& numbers, bool is_large);
[[nodiscard]] bool add_darray(Runs& runs, const PartOfType& part,
                              const std::vector<MPI_Count>& numbers, bool is_large);

}  // namespace tasuki::host

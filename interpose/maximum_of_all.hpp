#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

/// Makes each of `values` the largest that any rank of `communicator` has. Gives the host's
/// code. Collective.
///
/// Not by MPI_Allreduce, for which Intel MPI (2021.18) takes memory that it has for 480
/// communicators of a process, and ends the program at the next one.
int maximum_of_all(MPI_Comm communicator, std::span<int> values);

/// For maximum_of_all(), by which the ranks can tell whether all have the same `number`: its halves
/// of 31 bits, the lower ones of 32, and their negatives.
std::array<int, 4> to_compare(std::uint64_t number);
/// Whether all had the same, by the maxima of what to_compare() gave.
bool are_alike(std::span<const int, 4> maxima);

}  // namespace tasuki::interpose

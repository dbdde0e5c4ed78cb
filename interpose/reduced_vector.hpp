// The calls that reduce whole vectors: MPI_Reduce, MPI_Allreduce, MPI_Scan, MPI_Exscan.
#pragma once

#include "interpose/communicator.hpp"
#include "interpose/reduction.hpp"
#include "interpose/row_filter.hpp"

namespace tasuki::interpose {

/// What this rank gives to a reduction of vectors and gets from it.
struct ReducedVector {
    const Reduction& reduction;
    const void* send;  ///< MPI_IN_PLACE: what stands in `receive`
    void* receive;     ///< nullptr where this rank gets nothing
    MPI_Count count;
    MPI_Datatype type;

    MPI_Count bytes() const { return count * reduction.element_bytes(); }
    bool is_in_place() const { return send == MPI_IN_PLACE; }
};

/// Which rows may reduce so: those that keep the order of ranks where the operation does not
/// commute.
const RowFilter& rows_for(const Reduction& reduction);

/// Why the host has to do the call; see why_not_ours().
const char* why_not_ours(Communicator& communicator, const ReducedVector& vector);

/// Throws TransportError.
void reduce(Communicator& communicator, Machine& machine, const ReducedVector& vector,
            bool late_device);

}  // namespace tasuki::interpose

#pragma once

namespace tasuki::interpose {

/// At MPI_Finalize, by all ranks of MPI_COMM_WORLD, where reductions are checked: rank 0 says what
/// all have found, and writes it to the file that was asked for.
///
/// Cost: a reduction of one SiteTable; rank 0 reads the symbols of the program's files.
void report_reduction_checks();

}  // namespace tasuki::interpose

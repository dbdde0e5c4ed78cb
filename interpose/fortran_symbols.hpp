// How Fortran's external procedures are spelled in the host's library.
#pragma once

#include "transport/host/mpi_header.hpp"

// TASUKI_FORTRAN_SYMBOLS(define, lower, upper) makes define(symbol) of every symbol by which a
// Fortran program reaches the host without its C function of that name: as compilers spell an
// external procedure, and the body of mpi_f08's.
#if TASUKI_ABI_STANDARD
#define TASUKI_FORTRAN_SYMBOLS(define, lower, upper)
#elif TASUKI_HAS_OWN_FORTRAN_BODIES
#define TASUKI_FORTRAN_SYMBOLS(define, lower, upper) \
    define(lower) define(lower##_) define(lower##__) define(upper) define(lower##_f08_)
#else
// MPICH's and Intel's mpi_f08 calls PMPI_*, their other Fortran the C functions.
#define TASUKI_FORTRAN_SYMBOLS(define, lower, upper) define(lower##_f08_)
#endif

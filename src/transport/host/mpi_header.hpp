// The one place that says which mpi.h this ABI is compiled with, and what it has.
#pragma once

#if defined(TASUKI_ABI_STANDARD)
#include <mpi_abi.h>
#define TASUKI_HAS_LARGE_COUNTS 1
#elif defined(TASUKI_ABI_MPICH)
#include <mpi.h>
#define TASUKI_HAS_LARGE_COUNTS 1
#elif defined(TASUKI_ABI_OPENMPI)
#include <mpi.h>
#define TASUKI_HAS_LARGE_COUNTS 0
#define TASUKI_HAS_OWN_FORTRAN_BODIES 1
#else
#error "define one of TASUKI_ABI_OPENMPI, TASUKI_ABI_MPICH, TASUKI_ABI_STANDARD"
#endif

#ifndef TASUKI_HAS_OWN_FORTRAN_BODIES
/// Whether the host's Fortran entry points bypass its C ones (Open MPI's call PMPI_* themselves).
#define TASUKI_HAS_OWN_FORTRAN_BODIES 0
#endif

// The preloaded library is mapped into every process that a rank starts, also those without an MPI
// (a shell, a Python that has not imported mpi4py yet). Nothing there may fail to resolve, so all
// that is the host's is weak; interpose/process.cpp looks before anything is used.
#include "transport/host/weak_host_symbols.inc"

// MPI_Intercomm_merge: the one way to a communicator that reaches processes of another world, which
// may run without Tasuki; noted, so that such communicators are left to the host.
#include "interpose/export.hpp"
#include "interpose/fortran_symbols.hpp"
#include "interpose/next_call.hpp"
#include "interpose/process.hpp"

using namespace tasuki::interpose;

extern "C" {

TASUKI_EXPORT int MPI_Intercomm_merge(MPI_Comm between, int high, MPI_Comm* merged) {
    static constinit NextCall<int(MPI_Comm, int, MPI_Comm*)> next("MPI_Intercomm_merge");
    process().may_reach_other_worlds = true;
    return next(between, high, merged);
}

#define TASUKI_FORTRAN_MERGE(symbol)                                                               \
    TASUKI_EXPORT void symbol(MPI_Fint* between, MPI_Fint* high, MPI_Fint* merged,                 \
                              MPI_Fint* error) {                                                   \
        static constinit NextCall<void(MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*)> next(#symbol); \
        process().may_reach_other_worlds = true;                                                   \
        next(between, high, merged, error);                                                        \
    }

TASUKI_FORTRAN_SYMBOLS(TASUKI_FORTRAN_MERGE, mpi_intercomm_merge, MPI_INTERCOMM_MERGE)
}

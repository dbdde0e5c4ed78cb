// MPI_Comm_free and MPI_Comm_disconnect: reductions under way may still need the communicator.
#include "interpose/export.hpp"
#include "interpose/fortran_symbols.hpp"
#include "interpose/next_call.hpp"
#include "interpose/reduction_worker.hpp"

using namespace tasuki::interpose;

extern "C" {

TASUKI_EXPORT int MPI_Comm_free(MPI_Comm* communicator) {
    static constinit NextCall<int(MPI_Comm*)> next("MPI_Comm_free");
    if (communicator != nullptr) before_free(*communicator);
    return next(communicator);
}

TASUKI_EXPORT int MPI_Comm_disconnect(MPI_Comm* communicator) {
    static constinit NextCall<int(MPI_Comm*)> next("MPI_Comm_disconnect");
    if (communicator != nullptr) before_disconnect(*communicator);
    return next(communicator);
}

#define TASUKI_FORTRAN_COMM_FREE(symbol)                                     \
    TASUKI_EXPORT void symbol(MPI_Fint* communicator, MPI_Fint* error) {     \
        static constinit NextCall<void(MPI_Fint*, MPI_Fint*)> next(#symbol); \
        before_free(PMPI_Comm_f2c(*communicator));                           \
        next(communicator, error);                                           \
    }

#define TASUKI_FORTRAN_COMM_DISCONNECT(symbol)                               \
    TASUKI_EXPORT void symbol(MPI_Fint* communicator, MPI_Fint* error) {     \
        static constinit NextCall<void(MPI_Fint*, MPI_Fint*)> next(#symbol); \
        before_disconnect(PMPI_Comm_f2c(*communicator));                     \
        next(communicator, error);                                           \
    }

TASUKI_FORTRAN_SYMBOLS(TASUKI_FORTRAN_COMM_FREE, mpi_comm_free, MPI_COMM_FREE)
TASUKI_FORTRAN_SYMBOLS(TASUKI_FORTRAN_COMM_DISCONNECT, mpi_comm_disconnect, MPI_COMM_DISCONNECT)
}

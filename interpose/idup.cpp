// MPI_Comm_idup: noted, so that nothing of ours meets what the host does for it, which goes on in
// other calls.
#include "interpose/acquaintance.hpp"
#include "interpose/export.hpp"
#include "interpose/fortran_symbols.hpp"
#include "interpose/next_call.hpp"

using namespace tasuki::interpose;

extern "C" {

TASUKI_EXPORT int MPI_Comm_idup(MPI_Comm communicator, MPI_Comm* copy, MPI_Request* request) {
    static constinit NextCall<int(MPI_Comm, MPI_Comm*, MPI_Request*)> next("MPI_Comm_idup");
    note_idup(communicator);
    return next(communicator, copy, request);
}

#define TASUKI_FORTRAN_IDUP(symbol)                                                                \
    TASUKI_EXPORT void symbol(MPI_Fint* communicator, MPI_Fint* copy, MPI_Fint* request,           \
                              MPI_Fint* error) {                                                   \
        static constinit NextCall<void(MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*)> next(#symbol); \
        note_idup(PMPI_Comm_f2c(*communicator));                                                   \
        next(communicator, copy, request, error);                                                  \
    }

TASUKI_FORTRAN_SYMBOLS(TASUKI_FORTRAN_IDUP, mpi_comm_idup, MPI_COMM_IDUP)
}

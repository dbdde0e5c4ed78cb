#include "interpose/being_freed.hpp"

namespace tasuki::interpose {

MPI_Errhandler take_handler_off(MPI_Comm communicator) {
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    if (communicator == MPI_COMM_NULL) return handler;
    if (PMPI_Comm_get_errhandler(communicator, &handler) != MPI_SUCCESS) return MPI_ERRHANDLER_NULL;
    if (handler == MPI_ERRORS_ARE_FATAL || handler == MPI_ERRORS_RETURN) {
        PMPI_Errhandler_free(&handler);
        return MPI_ERRHANDLER_NULL;
    }
    PMPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN);
    return handler;
}

void tell_handler_of(MPI_Comm communicator, MPI_Errhandler handler, int code) {
    if (code == MPI_SUCCESS) {
        PMPI_Errhandler_free(&handler);
        return;
    }
    PMPI_Comm_set_errhandler(communicator, handler);
    PMPI_Errhandler_free(&handler);
    PMPI_Comm_call_errhandler(communicator, code);
}

}  // namespace tasuki::interpose

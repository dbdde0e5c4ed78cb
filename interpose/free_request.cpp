// MPI_Request_free: with the request of a persistent reduction its thread goes.
#include "interpose/export.hpp"
#include "interpose/fortran_symbols.hpp"
#include "interpose/next_call.hpp"
#include "interpose/persistent_reduction.hpp"
#include "interpose/persistent_requests.hpp"

using namespace tasuki::interpose;

extern "C" {

TASUKI_EXPORT int MPI_Request_free(MPI_Request* request) {
    static constinit NextCall<int(MPI_Request*)> next("MPI_Request_free");
    if (!has_persistent_requests() || request == nullptr) return next(request);
    const auto ours = take_persistent(*request);
    const int code = next(request);
    if (ours != nullptr) ours->leave();
    return code;
}

#define TASUKI_FORTRAN_REQUEST_FREE(symbol)                                  \
    TASUKI_EXPORT void symbol(MPI_Fint* request, MPI_Fint* error) {          \
        static constinit NextCall<void(MPI_Fint*, MPI_Fint*)> next(#symbol); \
        if (!has_persistent_requests()) return next(request, error);         \
        const auto ours = take_persistent(PMPI_Request_f2c(*request));       \
        next(request, error);                                                \
        if (ours != nullptr) ours->leave();                                  \
    }

TASUKI_FORTRAN_SYMBOLS(TASUKI_FORTRAN_REQUEST_FREE, mpi_request_free, MPI_REQUEST_FREE)
}

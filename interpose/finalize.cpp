// MPI_Finalize: threads of ours end first. All else ends in stop_process(), whichever way it is
// reached; but there Open MPI holds a lock that these threads may need.
#include "interpose/export.hpp"
#include "interpose/fortran_symbols.hpp"
#include "interpose/next_call.hpp"
#include "interpose/persistent_requests.hpp"
#include "interpose/reduction_worker.hpp"

using namespace tasuki::interpose;

namespace {

void end_threads() {
    forget_all_persistent();
    end_reduction_workers();
}

}  // namespace

extern "C" {

TASUKI_EXPORT int MPI_Finalize() {
    static constinit NextCall<int()> next("MPI_Finalize");
    end_threads();
    return next();
}

#define TASUKI_FORTRAN_FINALIZE(symbol)                           \
    TASUKI_EXPORT void symbol(MPI_Fint* error) {                  \
        static constinit NextCall<void(MPI_Fint*)> next(#symbol); \
        end_threads();                                            \
        next(error);                                              \
    }

TASUKI_FORTRAN_SYMBOLS(TASUKI_FORTRAN_FINALIZE, mpi_finalize, MPI_FINALIZE)
}

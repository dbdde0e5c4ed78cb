// MPI_Comm_free and MPI_Comm_disconnect: reductions under way may still need the communicator, and
// functions of the program's that the host calls meanwhile.
#include "interpose/being_freed.hpp"
#include "interpose/export.hpp"
#include "interpose/fortran.hpp"
#include "interpose/fortran_symbols.hpp"
#include "interpose/next_call.hpp"
#include "interpose/reduction_worker.hpp"

using namespace tasuki::interpose;

namespace {

template <typename Before>
int free_by(NextCall<int(MPI_Comm*)>& next, MPI_Comm* communicator, const Before& before) {
    if (communicator == nullptr) return next(communicator);
    before(*communicator);
    return while_being_freed(*communicator, [&] { return next(communicator); });
}

}  // namespace

extern "C" {

TASUKI_EXPORT int MPI_Comm_free(MPI_Comm* communicator) {
    static constinit NextCall<int(MPI_Comm*)> next("MPI_Comm_free");
    return free_by(next, communicator, before_free);
}

TASUKI_EXPORT int MPI_Comm_disconnect(MPI_Comm* communicator) {
    static constinit NextCall<int(MPI_Comm*)> next("MPI_Comm_disconnect");
    return free_by(next, communicator, before_disconnect);
}

#define TASUKI_FORTRAN_FREE(symbol, before)                                  \
    TASUKI_EXPORT void symbol(MPI_Fint* communicator, MPI_Fint* error) {     \
        static constinit NextCall<void(MPI_Fint*, MPI_Fint*)> next(#symbol); \
        const MPI_Comm freed = PMPI_Comm_f2c(*communicator);                 \
        before(freed);                                                       \
        const int code = while_being_freed(freed, [&] {                      \
            MPI_Fint result = MPI_SUCCESS;                                   \
            next(communicator, &result);                                     \
            return static_cast<int>(result);                                 \
        });                                                                  \
        give_code(error, code);                                              \
    }
#define TASUKI_FORTRAN_COMM_FREE(symbol) TASUKI_FORTRAN_FREE(symbol, before_free)
#define TASUKI_FORTRAN_COMM_DISCONNECT(symbol) TASUKI_FORTRAN_FREE(symbol, before_disconnect)

TASUKI_FORTRAN_SYMBOLS(TASUKI_FORTRAN_COMM_FREE, mpi_comm_free, MPI_COMM_FREE)
TASUKI_FORTRAN_SYMBOLS(TASUKI_FORTRAN_COMM_DISCONNECT, mpi_comm_disconnect, MPI_COMM_DISCONNECT)
}

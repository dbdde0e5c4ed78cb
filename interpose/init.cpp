// MPI_Init: the host starts, then Tasuki, before the program goes on.
#include "interpose/export.hpp"
#include "interpose/fortran.hpp"
#include "interpose/fortran_symbols.hpp"
#include "interpose/next_call.hpp"
#include "interpose/process.hpp"

using namespace tasuki::interpose;

extern "C" {

TASUKI_EXPORT int MPI_Init(int* count, char*** arguments) {
    static constinit NextCall<int(int*, char***)> next("MPI_Init");
    const int code = next(count, arguments);
    if (code == MPI_SUCCESS) start_process();
    return code;
}

#define TASUKI_FORTRAN_INIT(symbol)                               \
    TASUKI_EXPORT void symbol(MPI_Fint* error) {                  \
        static constinit NextCall<void(MPI_Fint*)> next(#symbol); \
        MPI_Fint code = MPI_SUCCESS;                              \
        next(&code);                                              \
        if (code == MPI_SUCCESS) start_process();                 \
        give_code(error, code);                                   \
    }

TASUKI_FORTRAN_SYMBOLS(TASUKI_FORTRAN_INIT, mpi_init, MPI_INIT)
}

// MPI_Init: the host starts, then Tasuki, before the program goes on.
#include "interpose/export.hpp"
#include "interpose/fortran.hpp"
#include "interpose/fortran_symbols.hpp"
#include "interpose/next_call.hpp"
#include "interpose/process.hpp"
#include "interpose/thread_level.hpp"
#include "interpose/yielding_host.hpp"

using namespace tasuki::interpose;

extern "C" {

TASUKI_EXPORT int MPI_Init(int* count, char*** arguments) {
    static constinit NextCall<int(int*, char***)> next("MPI_Init");
    static constinit NextCall<int(int*, char***, int, int*)> next_raised("MPI_Init_thread");
    const YieldingHost yielding;
    int code = MPI_SUCCESS;
    if (raises_thread_level(MPI_THREAD_SINGLE)) {
        int provided = MPI_THREAD_SINGLE;
        code = next_raised(count, arguments, MPI_THREAD_MULTIPLE, &provided);
        told_of_raised(MPI_THREAD_SINGLE, provided);
    } else {
        code = next(count, arguments);
    }
    if (code == MPI_SUCCESS) start_process();
    return code;
}

#define TASUKI_FORTRAN_INIT(symbol)                                                   \
    TASUKI_EXPORT void symbol(MPI_Fint* error) {                                      \
        static constinit NextCall<void(MPI_Fint*)> next(#symbol);                     \
        static constexpr InitThreadSymbol raised(#symbol);                            \
        static constinit NextCall<void(MPI_Fint*, MPI_Fint*, MPI_Fint*)> next_raised( \
            raised.text());                                                           \
        const YieldingHost yielding;                                                  \
        MPI_Fint code = MPI_SUCCESS;                                                  \
        if (raises_thread_level(MPI_THREAD_SINGLE)) {                                 \
            MPI_Fint required = MPI_THREAD_MULTIPLE, provided = MPI_THREAD_SINGLE;    \
            next_raised(&required, &provided, &code);                                 \
            told_of_raised(MPI_THREAD_SINGLE, provided);                              \
        } else {                                                                      \
            next(&code);                                                              \
        }                                                                             \
        if (code == MPI_SUCCESS) start_process();                                     \
        give_code(error, code);                                                       \
    }

TASUKI_FORTRAN_SYMBOLS(TASUKI_FORTRAN_INIT, mpi_init, MPI_INIT)
}

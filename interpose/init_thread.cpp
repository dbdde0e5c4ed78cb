// MPI_Init_thread: as MPI_Init, at the level of threads that the program asks for, or above it.
#include "interpose/export.hpp"
#include "interpose/fortran.hpp"
#include "interpose/fortran_symbols.hpp"
#include "interpose/next_call.hpp"
#include "interpose/process.hpp"
#include "interpose/thread_level.hpp"
#include "interpose/yielding_host.hpp"

using namespace tasuki::interpose;

extern "C" {

TASUKI_EXPORT int MPI_Init_thread(int* count, char*** arguments, int required, int* provided) {
    static constinit NextCall<int(int*, char***, int, int*)> next("MPI_Init_thread");
    const bool raises = raises_thread_level(required);
    const YieldingHost yielding;
    const int code = next(count, arguments, raises ? MPI_THREAD_MULTIPLE : required, provided);
    if (code != MPI_SUCCESS) return code;
    if (raises) *provided = told_of_raised(required, *provided);
    start_process();
    return code;
}

#define TASUKI_FORTRAN_INIT_THREAD(symbol)                                               \
    TASUKI_EXPORT void symbol(MPI_Fint* required, MPI_Fint* provided, MPI_Fint* error) { \
        static constinit NextCall<void(MPI_Fint*, MPI_Fint*, MPI_Fint*)> next(#symbol);  \
        const bool raises = raises_thread_level(*required);                              \
        const YieldingHost yielding;                                                     \
        MPI_Fint asked = raises ? MPI_THREAD_MULTIPLE : *required;                       \
        MPI_Fint code = MPI_SUCCESS;                                                     \
        next(&asked, provided, &code);                                                   \
        if (code == MPI_SUCCESS) {                                                       \
            if (raises) *provided = told_of_raised(*required, *provided);                \
            start_process();                                                             \
        }                                                                                \
        give_code(error, code);                                                          \
    }

TASUKI_FORTRAN_SYMBOLS(TASUKI_FORTRAN_INIT_THREAD, mpi_init_thread, MPI_INIT_THREAD)
}

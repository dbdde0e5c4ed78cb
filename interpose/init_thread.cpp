// MPI_Init_thread: as MPI_Init, at the level of threads that the program asks for.
#include "interpose/export.hpp"
#include "interpose/next_call.hpp"
#include "interpose/process.hpp"

using namespace tasuki::interpose;

extern "C" {

TASUKI_EXPORT int MPI_Init_thread(int* count, char*** arguments, int required, int* provided) {
    static constinit NextCall<int(int*, char***, int, int*)> next("MPI_Init_thread");
    const int code = next(count, arguments, required, provided);
    if (code == MPI_SUCCESS) start_process();
    return code;
}

#if !TASUKI_ABI_STANDARD

#define TASUKI_FORTRAN_INIT_THREAD(symbol)                                               \
    TASUKI_EXPORT void symbol(MPI_Fint* required, MPI_Fint* provided, MPI_Fint* error) { \
        static constinit NextCall<void(MPI_Fint*, MPI_Fint*, MPI_Fint*)> next(#symbol);  \
        MPI_Fint code = MPI_SUCCESS;                                                     \
        next(required, provided, &code);                                                 \
        if (code == MPI_SUCCESS) start_process();                                        \
        if (error != nullptr) *error = code;                                             \
    }

// MPICH's and Intel's mpi_f08 calls PMPI_*, their other Fortran the C functions.
TASUKI_FORTRAN_INIT_THREAD(mpi_init_thread_f08_)

#if TASUKI_HAS_OWN_FORTRAN_BODIES
TASUKI_FORTRAN_INIT_THREAD(mpi_init_thread)
TASUKI_FORTRAN_INIT_THREAD(mpi_init_thread_)
TASUKI_FORTRAN_INIT_THREAD(mpi_init_thread__)
TASUKI_FORTRAN_INIT_THREAD(MPI_INIT_THREAD)
#endif

#endif
}

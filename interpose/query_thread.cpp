// MPI_Query_thread: where MPI has more threads than the program asked for, it is not told.
#include "interpose/export.hpp"
#include "interpose/fortran_symbols.hpp"
#include "interpose/next_call.hpp"
#include "interpose/thread_level.hpp"
#include "transport/host/mpi_header.hpp"

using namespace tasuki::interpose;

namespace {

template <typename Integer>
void tell_level(Integer* provided) {
    const int told = told_thread_level();
    if (told >= 0 && provided != nullptr) *provided = static_cast<Integer>(told);
}

}  // namespace

extern "C" {

TASUKI_EXPORT int MPI_Query_thread(int* provided) {
    static constinit NextCall<int(int*)> next("MPI_Query_thread");
    const int code = next(provided);
    if (code == MPI_SUCCESS) tell_level(provided);
    return code;
}

#define TASUKI_FORTRAN_QUERY_THREAD(symbol)                                  \
    TASUKI_EXPORT void symbol(MPI_Fint* provided, MPI_Fint* error) {         \
        static constinit NextCall<void(MPI_Fint*, MPI_Fint*)> next(#symbol); \
        next(provided, error);                                               \
        tell_level(provided);                                                \
    }

TASUKI_FORTRAN_SYMBOLS(TASUKI_FORTRAN_QUERY_THREAD, mpi_query_thread, MPI_QUERY_THREAD)
}

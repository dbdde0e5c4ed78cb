// MPI_Type_free and MPI_Op_free: what a reduction under way needs is freed when that is over.
#include "interpose/export.hpp"
#include "interpose/fortran.hpp"
#include "interpose/fortran_symbols.hpp"
#include "interpose/kept_handles.hpp"
#include "interpose/next_call.hpp"

using namespace tasuki::interpose;

extern "C" {

TASUKI_EXPORT int MPI_Type_free(MPI_Datatype* type) {
    static constinit NextCall<int(MPI_Datatype*)> next("MPI_Type_free");
    if (type == nullptr || !kept_types().postpones_free(*type)) return next(type);
    *type = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
}

TASUKI_EXPORT int MPI_Op_free(MPI_Op* operation) {
    static constinit NextCall<int(MPI_Op*)> next("MPI_Op_free");
    if (operation == nullptr || !kept_operations().postpones_free(*operation)) {
        return next(operation);
    }
    *operation = MPI_OP_NULL;
    return MPI_SUCCESS;
}

#define TASUKI_FORTRAN_TYPE_FREE(symbol)                                                  \
    TASUKI_EXPORT void symbol(MPI_Fint* type, MPI_Fint* error) {                          \
        static constinit NextCall<void(MPI_Fint*, MPI_Fint*)> next(#symbol);              \
        if (!kept_types().postpones_free(PMPI_Type_f2c(*type))) return next(type, error); \
        *type = PMPI_Type_c2f(MPI_DATATYPE_NULL);                                         \
        give_code(error, MPI_SUCCESS);                                                    \
    }

#define TASUKI_FORTRAN_OP_FREE(symbol)                                       \
    TASUKI_EXPORT void symbol(MPI_Fint* operation, MPI_Fint* error) {        \
        static constinit NextCall<void(MPI_Fint*, MPI_Fint*)> next(#symbol); \
        if (!kept_operations().postpones_free(PMPI_Op_f2c(*operation))) {    \
            return next(operation, error);                                   \
        }                                                                    \
        *operation = PMPI_Op_c2f(MPI_OP_NULL);                               \
        give_code(error, MPI_SUCCESS);                                       \
    }

TASUKI_FORTRAN_SYMBOLS(TASUKI_FORTRAN_TYPE_FREE, mpi_type_free, MPI_TYPE_FREE)
TASUKI_FORTRAN_SYMBOLS(TASUKI_FORTRAN_OP_FREE, mpi_op_free, MPI_OP_FREE)
}

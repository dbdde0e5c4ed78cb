// MPI_Comm_set_info, MPI_Comm_dup_with_info, MPI_Comm_split_type and MPI_Comm_get_info: the host
// drops hints that it does not know, and ours is one. A copy of MPI_Comm_idup_with_info cannot be
// asked before it is complete: there ours does not count, which is said.
#include "interpose/acquaintance.hpp"
#include "interpose/communicator_mode.hpp"
#include "interpose/export.hpp"
#include "interpose/fortran.hpp"
#include "interpose/fortran_symbols.hpp"
#include "interpose/next_call.hpp"

using namespace tasuki::interpose;

extern "C" {

TASUKI_EXPORT int MPI_Comm_set_info(MPI_Comm communicator, MPI_Info info) {
    static constinit NextCall<int(MPI_Comm, MPI_Info)> next("MPI_Comm_set_info");
    const int code = next(communicator, info);
    if (code == MPI_SUCCESS) take_hints(communicator, info);
    return code;
}

TASUKI_EXPORT int MPI_Comm_dup_with_info(MPI_Comm communicator, MPI_Info info, MPI_Comm* copy) {
    static constinit NextCall<int(MPI_Comm, MPI_Info, MPI_Comm*)> next("MPI_Comm_dup_with_info");
    const int code = next(communicator, info, copy);
    if (code == MPI_SUCCESS) take_hints_of_copy(*copy, info);
    return code;
}

TASUKI_EXPORT int MPI_Comm_idup_with_info(MPI_Comm communicator, MPI_Info info, MPI_Comm* copy,
                                          MPI_Request* request) {
    static constinit NextCall<int(MPI_Comm, MPI_Info, MPI_Comm*, MPI_Request*)> next(
        "MPI_Comm_idup_with_info");
    note_idup(communicator);
    const int code = next(communicator, info, copy, request);
    if (code == MPI_SUCCESS) tell_hint_is_lost(info, "MPI_Comm_idup_with_info");
    return code;
}

TASUKI_EXPORT int MPI_Comm_split_type(MPI_Comm communicator, int type, int key, MPI_Info info,
                                      MPI_Comm* part) {
    static constinit NextCall<int(MPI_Comm, int, int, MPI_Info, MPI_Comm*)> next(
        "MPI_Comm_split_type");
    const int code = next(communicator, type, key, info, part);
    if (code == MPI_SUCCESS) take_hints_of_copy(*part, info);
    return code;
}

TASUKI_EXPORT int MPI_Comm_get_info(MPI_Comm communicator, MPI_Info* used) {
    static constinit NextCall<int(MPI_Comm, MPI_Info*)> next("MPI_Comm_get_info");
    const int code = next(communicator, used);
    if (code == MPI_SUCCESS) tell_hints(communicator, *used);
    return code;
}

#define TASUKI_FORTRAN_SET_INFO(symbol)                                                          \
    TASUKI_EXPORT void symbol(MPI_Fint* communicator, MPI_Fint* info, MPI_Fint* error) {         \
        static constinit NextCall<void(MPI_Fint*, MPI_Fint*, MPI_Fint*)> next(#symbol);          \
        MPI_Fint code = MPI_SUCCESS;                                                             \
        next(communicator, info, &code);                                                         \
        if (code == MPI_SUCCESS) take_hints(PMPI_Comm_f2c(*communicator), PMPI_Info_f2c(*info)); \
        give_code(error, code);                                                                  \
    }

#define TASUKI_FORTRAN_DUP_WITH_INFO(symbol)                                                       \
    TASUKI_EXPORT void symbol(MPI_Fint* communicator, MPI_Fint* info, MPI_Fint* copy,              \
                              MPI_Fint* error) {                                                   \
        static constinit NextCall<void(MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*)> next(#symbol); \
        MPI_Fint code = MPI_SUCCESS;                                                               \
        next(communicator, info, copy, &code);                                                     \
        if (code == MPI_SUCCESS) {                                                                 \
            take_hints_of_copy(PMPI_Comm_f2c(*copy), PMPI_Info_f2c(*info));                        \
        }                                                                                          \
        give_code(error, code);                                                                    \
    }

#define TASUKI_FORTRAN_IDUP_WITH_INFO(symbol)                                                  \
    TASUKI_EXPORT void symbol(MPI_Fint* communicator, MPI_Fint* info, MPI_Fint* copy,          \
                              MPI_Fint* request, MPI_Fint* error) {                            \
        static constinit NextCall<void(MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*)> \
            next(#symbol);                                                                     \
        MPI_Fint code = MPI_SUCCESS;                                                           \
        note_idup(PMPI_Comm_f2c(*communicator));                                               \
        next(communicator, info, copy, request, &code);                                        \
        if (code == MPI_SUCCESS) {                                                             \
            tell_hint_is_lost(PMPI_Info_f2c(*info), "MPI_Comm_idup_with_info");                \
        }                                                                                      \
        give_code(error, code);                                                                \
    }

#define TASUKI_FORTRAN_SPLIT_TYPE(symbol)                                                     \
    TASUKI_EXPORT void symbol(MPI_Fint* communicator, MPI_Fint* type, MPI_Fint* key,          \
                              MPI_Fint* info, MPI_Fint* part, MPI_Fint* error) {              \
        static constinit NextCall<void(MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*, \
                                       MPI_Fint*)>                                            \
            next(#symbol);                                                                    \
        MPI_Fint code = MPI_SUCCESS;                                                          \
        next(communicator, type, key, info, part, &code);                                     \
        if (code == MPI_SUCCESS) {                                                            \
            take_hints_of_copy(PMPI_Comm_f2c(*part), PMPI_Info_f2c(*info));                   \
        }                                                                                     \
        give_code(error, code);                                                               \
    }

#define TASUKI_FORTRAN_GET_INFO(symbol)                                                          \
    TASUKI_EXPORT void symbol(MPI_Fint* communicator, MPI_Fint* used, MPI_Fint* error) {         \
        static constinit NextCall<void(MPI_Fint*, MPI_Fint*, MPI_Fint*)> next(#symbol);          \
        MPI_Fint code = MPI_SUCCESS;                                                             \
        next(communicator, used, &code);                                                         \
        if (code == MPI_SUCCESS) tell_hints(PMPI_Comm_f2c(*communicator), PMPI_Info_f2c(*used)); \
        give_code(error, code);                                                                  \
    }

TASUKI_FORTRAN_SYMBOLS(TASUKI_FORTRAN_SET_INFO, mpi_comm_set_info, MPI_COMM_SET_INFO)
TASUKI_FORTRAN_SYMBOLS(TASUKI_FORTRAN_DUP_WITH_INFO, mpi_comm_dup_with_info, MPI_COMM_DUP_WITH_INFO)
TASUKI_FORTRAN_SYMBOLS(TASUKI_FORTRAN_IDUP_WITH_INFO, mpi_comm_idup_with_info,
                       MPI_COMM_IDUP_WITH_INFO)
TASUKI_FORTRAN_SYMBOLS(TASUKI_FORTRAN_SPLIT_TYPE, mpi_comm_split_type, MPI_COMM_SPLIT_TYPE)
TASUKI_FORTRAN_SYMBOLS(TASUKI_FORTRAN_GET_INFO, mpi_comm_get_info, MPI_COMM_GET_INFO)
}

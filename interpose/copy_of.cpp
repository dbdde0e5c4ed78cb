#include "interpose/copy_of.hpp"

#include "interpose/acquaintance.hpp"

namespace tasuki::interpose {

MPI_Comm copy_of(MPI_Comm parent) {
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Comm own = MPI_COMM_NULL;
    PMPI_Comm_get_errhandler(parent, &handler);
    PMPI_Comm_set_errhandler(parent, MPI_ERRORS_RETURN);
    PMPI_Comm_group(parent, &group);
    constexpr int tag = 31748;  // tells it from what the program makes so at that time
    const int code = had_idup(parent) ? PMPI_Comm_create_group(parent, group, tag, &own)
                                      : PMPI_Comm_create(parent, group, &own);
    if (code != MPI_SUCCESS) own = MPI_COMM_NULL;
    PMPI_Group_free(&group);
    PMPI_Comm_set_errhandler(parent, handler);
    PMPI_Errhandler_free(&handler);
    if (own != MPI_COMM_NULL) PMPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
    return own;
}

}  // namespace tasuki::interpose

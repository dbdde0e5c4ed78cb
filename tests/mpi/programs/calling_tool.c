/* A tool of the profiling interface that communicates itself, on one rank alone, in calls that pass
 * to the host. */
#include <mpi.h>

int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op operation,
                  MPI_Comm comm) {
    int rank, number = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_SELF);
        MPI_Barrier(MPI_COMM_SELF);
    }
    return PMPI_Allreduce(send, receive, count, type, operation, comm);
}

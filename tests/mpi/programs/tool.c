/* A tool of the profiling interface: counts the calls of MPI_Alltoall that reach it. */
#include <mpi.h>

static int count;

int tool_count(void);
int tool_count(void) {
    return count;
}

int MPI_Alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                 int receive_count, MPI_Datatype receive_type, MPI_Comm comm) {
    ++count;
    return PMPI_Alltoall(send, send_count, send_type, receive, receive_count, receive_type, comm);
}

/* Stands in for an MPI library of the MPICH ABI with one rank: every call returns at once. What
 * Tasuki asks for at the start is answered, the rest is missing. */
#include <mpi.h>
#include <string.h>

int MPI_Init(int* count, char*** arguments) {
    (void)count, (void)arguments;
    return MPI_SUCCESS;
}

int MPI_Finalize(void) {
    return MPI_SUCCESS;
}

int MPI_Alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                 int receive_count, MPI_Datatype receive_type, MPI_Comm communicator) {
    (void)send, (void)send_count, (void)send_type, (void)receive, (void)receive_count;
    (void)receive_type, (void)communicator;
    return MPI_SUCCESS;
}

int PMPI_Comm_rank(MPI_Comm communicator, int* rank) {
    (void)communicator;
    *rank = 0;
    return MPI_SUCCESS;
}

int PMPI_Comm_size(MPI_Comm communicator, int* size) {
    (void)communicator;
    *size = 1;
    return MPI_SUCCESS;
}

int PMPI_Query_thread(int* provided) {
    *provided = MPI_THREAD_SINGLE;
    return MPI_SUCCESS;
}

/* In place among one rank: the result is there. */
int PMPI_Iallreduce(const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op,
                    MPI_Comm communicator, MPI_Request* request) {
    (void)send, (void)receive, (void)count, (void)datatype, (void)op, (void)communicator;
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

int PMPI_Test(MPI_Request* request, int* done, MPI_Status* status) {
    (void)request, (void)status;
    *done = 1;
    return MPI_SUCCESS;
}

int PMPI_Comm_create_keyval(MPI_Comm_copy_attr_function* copy, MPI_Comm_delete_attr_function* end,
                            int* key, void* state) {
    (void)copy, (void)end, (void)state;
    *key = 1;
    return MPI_SUCCESS;
}

int PMPI_Comm_set_attr(MPI_Comm communicator, int key, void* value) {
    (void)communicator, (void)key, (void)value;
    return MPI_SUCCESS;
}

int PMPI_Comm_free_keyval(int* key) {
    *key = MPI_KEYVAL_INVALID;
    return MPI_SUCCESS;
}

int PMPI_Get_library_version(char* version, int* length) {
    strcpy(version, "stub");
    *length = 4;
    return MPI_SUCCESS;
}

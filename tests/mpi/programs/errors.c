/* Wrong arguments give the error that the host gives, by return code and by the user's handler.
 * PMPI_Alltoall goes to the host past Tasuki, so one run compares both.
 *
 * usage: errors [CANDIDATE...] */
#include "exchange.h"
#include "tasuki_control.h"

static int handler_calls;

static void handler(MPI_Comm* comm, int* code, ...) {
    (void)comm, (void)code;
    ++handler_calls;
}

static int class_of(int code) {
    int error_class;
    if (code == MPI_SUCCESS) return MPI_SUCCESS;
    MPI_Error_class(code, &error_class);
    return error_class;
}

/* One wrong call each way; all ranks make it. */
static void compare(const char* what, const void* sent, int send_count, MPI_Datatype send_type,
                    void* received, int receive_count, MPI_Datatype receive_type, MPI_Comm comm) {
    in_case("%s", what);
    handler_calls = 0;
    int host = class_of(
        PMPI_Alltoall(sent, send_count, send_type, received, receive_count, receive_type, comm));
    int host_handler_calls = handler_calls;
    handler_calls = 0;
    int ours = class_of(
        MPI_Alltoall(sent, send_count, send_type, received, receive_count, receive_type, comm));
    check(ours == host, "error class %d, the host's is %d", ours, host);
    check(handler_calls == host_handler_calls, "%d calls of the error handler, the host makes %d",
          handler_calls, host_handler_calls);
}

static void all_on(MPI_Comm comm) {
    int *sent = calloc((size_t)check_ranks, 64), *received = calloc((size_t)check_ranks, 64);
    MPI_Datatype uncommitted;
    MPI_Type_contiguous(2, MPI_INT, &uncommitted);
    compare("negative send count", sent, -1, MPI_INT, received, 1, MPI_INT, comm);
    compare("negative receive count", sent, 1, MPI_INT, received, -1, MPI_INT, comm);
    compare("no send type", sent, 1, MPI_DATATYPE_NULL, received, 1, MPI_INT, comm);
    compare("no receive type", sent, 1, MPI_INT, received, 1, MPI_DATATYPE_NULL, comm);
    compare("send type not committed", sent, 1, uncommitted, received, 2, MPI_INT, comm);
    compare("receive type not committed", sent, 2, MPI_INT, received, 1, uncommitted, comm);
    compare("receive buffer MPI_IN_PLACE", sent, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, comm);
#if defined(MPICH_NUMVERSION) || defined(I_MPI_NUMVERSION) /* Open MPI does not look */
    compare("no send buffer", NULL, 1, MPI_INT, received, 1, MPI_INT, comm);
    compare("no receive buffer", sent, 1, MPI_INT, NULL, 1, MPI_INT, comm);
#endif
    compare("no data, null buffers", NULL, 0, MPI_INT, NULL, 0, MPI_INT, comm);
    MPI_Type_free(&uncommitted);
    in_case("a right call after wrong ones");
    check_exchange(comm, 9, 3);
    free(sent), free(received);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    check_begin();
    MPI_Errhandler counting;
    MPI_Comm_create_errhandler(handler, &counting);
    /* Errors without a communicator, and some of Open MPI's with one, are raised on these. */
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    for (int argument = 1; argument < argc; ++argument) {
        struct candidate candidate = parse_candidate(argv[argument]);
        MPI_Comm comm;
        int word[64] = {0}, received[64];
        choose(&candidate);
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
        all_on(comm);
        check_ran(&candidate, check_ranks, 0);
        MPI_Comm_set_errhandler(comm, counting);
        all_on(comm);
        MPI_Comm_free(&comm);
        compare("MPI_COMM_NULL", word, 1, MPI_INT, received, 1, MPI_INT, MPI_COMM_NULL);
    }
    MPI_Errhandler_free(&counting);
    int code = check_end();
    MPI_Finalize();
    return code;
}

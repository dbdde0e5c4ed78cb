/* Programs of the sessions model.
 *
 * usage: sessions {alone|beside|behind}
 *   alone   without MPI_Init
 *   beside  between MPI_Init and MPI_Finalize
 *   behind  the same, when a communicator of the same ranks has been used and freed */
#include "exchange.h"
#include "tasuki_control.h"

static void in_session(void) {
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "tasuki-test", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Comm_rank(comm, &check_rank);
    MPI_Comm_size(comm, &check_ranks);
    for (uint32_t call = 0; call < 5; ++call) check_exchange(comm, 1 + 300 * (int)call, call);
    MPI_Comm_free(&comm);
    MPI_Group_free(&group);
    MPI_Session_finalize(&session);
}

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    in_case("session %s", argv[1]);
    if (strcmp(argv[1], "alone") == 0) {
        in_session();
        if (check_failures == 0) printf("ok\n");
        return check_failures != 0;
    }
    MPI_Init(&argc, &argv);
    check_begin();
    check_exchange(MPI_COMM_WORLD, 7, 1);
    if (strcmp(argv[1], "behind") == 0) {
        MPI_Comm copy;
        MPI_Comm_dup(MPI_COMM_WORLD, &copy);
        for (uint32_t call = 0; call < 30; ++call) check_exchange(copy, 7, call);
        MPI_Comm_free(&copy);
    }
    in_session();
    check_exchange(MPI_COMM_WORLD, 7, 2);
    int code = check_end();
    MPI_Finalize();
    return code;
}

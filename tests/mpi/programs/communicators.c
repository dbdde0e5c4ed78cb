/* All-to-all on communicators of every origin, by every candidate.
 *
 * usage: communicators [CANDIDATE...] */
#include "exchange.h"
#include "tasuki_control.h"

static const struct candidate* current;

static void on(const char* what, MPI_Comm comm) {
    int ranks;
    if (comm == MPI_COMM_NULL) return;
    MPI_Comm_size(comm, &ranks);
    in_case("%s: %s of %d", current->choice, what, ranks);
    for (uint32_t call = 0; call < 2; ++call) {
        check_exchange(comm, 1 + 40 * (int)call, call);
        check_ran(current, ranks, 0);
    }
}

static void on_and_free(const char* what, MPI_Comm comm) {
    on(what, comm);
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
}

static void splits(void) {
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, 0, check_ranks - check_rank, &comm);
    on_and_free("reversed ranks", comm);
    MPI_Comm_split(MPI_COMM_WORLD, check_rank % 2, 0, &comm);
    on_and_free("even and odd ranks", comm);
    MPI_Comm_split(MPI_COMM_WORLD, check_rank == 0 ? MPI_UNDEFINED : 1, 0, &comm);
    on_and_free("all but rank 0", comm);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm);
    on_and_free("shared memory", comm);
}

static void groups(void) {
    MPI_Group world, some;
    MPI_Comm comm = MPI_COMM_NULL;
    const int range[1][3] = {{check_ranks - 1, check_ranks / 2, -1}};
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_range_incl(world, 1, (int (*)[3])range, &some);
    MPI_Comm_create(MPI_COMM_WORLD, some, &comm);
    on_and_free("MPI_Comm_create", comm);
    comm = MPI_COMM_NULL;
    /* Only the members call it: nobody else can take part in what Tasuki prepares. */
    if (check_rank >= check_ranks / 2) MPI_Comm_create_group(MPI_COMM_WORLD, some, 7, &comm);
    on_and_free("MPI_Comm_create_group", comm);
    MPI_Group_free(&world), MPI_Group_free(&some);
}

static void topologies(void) {
    MPI_Comm grid, row;
    int dimensions[2] = {0, 0}, periods[2] = {1, 0}, remain[2] = {0, 1};
    MPI_Dims_create(check_ranks, 2, dimensions);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dimensions, periods, 1, &grid);
    MPI_Cart_sub(grid, remain, &row);
    on_and_free("row of a grid", row);
    on_and_free("grid", grid);
}

static void duplicates(void) {
    MPI_Comm first, second, self;
    MPI_Comm_dup(MPI_COMM_WORLD, &first);
    on("dup", first);
    MPI_Comm_dup(first, &second);
    MPI_Comm_free(&first);
    on("dup that outlives its parent", second);
    MPI_Comm_disconnect(&second);
    MPI_Request request;
    MPI_Comm_idup(MPI_COMM_WORLD, &first, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    on_and_free("idup", first);
    on("MPI_COMM_SELF", MPI_COMM_SELF);
    MPI_Comm_dup(MPI_COMM_SELF, &self);
    on_and_free("dup of MPI_COMM_SELF", self);
}

/* Between two groups there is nothing that Tasuki knows: the host does it. */
static void inter_communicator(void) {
    if (check_ranks < 2) return;
    MPI_Comm half, inter;
    int lower = check_rank < check_ranks / 2, others;
    MPI_Comm_split(MPI_COMM_WORLD, lower, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, lower ? check_ranks / 2 : 0, 3, &inter);
    MPI_Comm_remote_size(inter, &others);
    in_case("%s: inter-communicator", current->choice);
    int sent[64], received[64], first = lower ? check_ranks / 2 : 0;
    for (int peer = 0; peer < others; ++peer)
        sent[peer] = exchanged(check_rank, first + peer, 0, 5);
    MPI_Alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, inter);
    for (int peer = 0; peer < others; ++peer)
        check(received[peer] == exchanged(first + peer, check_rank, 0, 5), "wrong data");
    if (!begins_with_name(current->choice, "native")) check_passed_to_host("inter");
    MPI_Comm_free(&inter), MPI_Comm_free(&half);
}

/* The user's own messages on the communicator are still on their way when it is freed. On one rank
 * MPICH 5.0 itself hangs: its all-to-all does not get past the receive from anywhere. */
static void freed_with_messages_pending(void) {
    if (check_ranks < 2) return;
    MPI_Comm comm;
    MPI_Request receive, send;
    int sent = check_rank, received = -1;
    int next = (check_rank + 1) % check_ranks,
        previous = (check_rank + check_ranks - 1) % check_ranks;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Irecv(&received, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &receive);
    on("with a receive pending", comm);
    MPI_Isend(&sent, 1, MPI_INT, next, 0, comm, &send);
    MPI_Comm_free(&comm);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    check(received == previous, "received %d from %d", received, previous);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    check_begin();
    for (int argument = 1; argument < argc; ++argument) {
        struct candidate candidate = parse_candidate(argv[argument]);
        current = &candidate;
        choose(current);
        on("MPI_COMM_WORLD", MPI_COMM_WORLD);
        duplicates();
        splits();
        groups();
        topologies();
        inter_communicator();
        freed_with_messages_pending();
    }
    int code = check_end();
    MPI_Finalize();
    return code;
}

/* Every answer is right while Tasuki learns: each call may run by another algorithm.
 *
 * usage: learning CALLS [without-first]
 *
 * without-first: only on a communicator of all ranks but the first one, by five sizes in turn. */
#include <unistd.h>

#include "exchange.h"
#include "tasuki_control.h"

static void run(MPI_Comm communicator, const char* name, int calls) {
    static const int counts[] = {1, 90, 3000};
    for (int size = 0; size < 3; ++size) {
        in_case("%s, %d ints", name, counts[size]);
        for (int call = 0; call < calls; ++call)
            check_exchange(communicator, counts[size], (uint32_t)call);
        check(last_algorithm()[0] != 0, "nothing has run");
    }
    in_case("%s, sizes in turn", name);
    for (int call = 0; call < calls; ++call)
        check_exchange(communicator, counts[call % 3], (uint32_t)call);
    in_case("%s, nothing to move", name);
    check_exchange(communicator, 0, 0);
}

/* Another rank is the first, and has told nobody anything yet. */
static void run_in_reverse(int calls) {
    MPI_Comm reverse;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -check_rank, &reverse);
    run(reverse, "all ranks in reverse", calls);
    MPI_Comm_free(&reverse);
}

/* Most hosts wait busily in MPI_Finalize, which would take a core from those that are measured. */
static void sleep_until_done(void) {
    int is_done = 0;
    while (!is_done) {
        usleep(1000);
        MPI_Iprobe(1, 0, MPI_COMM_WORLD, &is_done, MPI_STATUS_IGNORE);
    }
    MPI_Recv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void run_without_first(int calls) {
    MPI_Comm others;
    MPI_Comm_split(MPI_COMM_WORLD, check_rank > 0 ? 1 : MPI_UNDEFINED, check_rank, &others);
    if (others == MPI_COMM_NULL) {
        sleep_until_done();
        return;
    }
    in_case("all ranks but the first");
    for (int call = 0; call < calls; ++call)
        check_exchange(others, 1 << (call % 5 * 4), (uint32_t)call);
    MPI_Comm_free(&others);
    if (check_rank == 1) MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    check_begin();
    const int calls = argc > 1 ? atoi(argv[1]) : 100;
    if (argc > 2) {
        run_without_first(calls);
    } else {
        run(MPI_COMM_WORLD, "all ranks", calls);
        run_in_reverse(calls / 4);
        MPI_Comm half;
        MPI_Comm_split(MPI_COMM_WORLD, check_rank % 2, check_rank, &half);
        run(half, "every second rank", calls);
        MPI_Comm_free(&half);
    }
    int code = check_end();
    MPI_Finalize();
    return code;
}

/* Every answer is right while Tasuki learns: each call may run by another algorithm.
 *
 * usage: learning CALLS */
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

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    check_begin();
    const int calls = argc > 1 ? atoi(argv[1]) : 100;
    run(MPI_COMM_WORLD, "all ranks", calls);
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, check_rank % 2, check_rank, &half);
    run(half, "every second rank", calls);
    MPI_Comm_free(&half);
    int code = check_end();
    MPI_Finalize();
    return code;
}

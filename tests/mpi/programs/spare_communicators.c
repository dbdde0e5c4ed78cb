/* Communicators of all ranks that come and go, in every order: what was made for one serves the
 * next, which must not meet anything of it, nor serve one whose ranks are in another order.
 *
 * usage: spare_communicators */
#include "tasuki_control.h"

enum { most_ranks = 64, calls = 40 };

/* Each rank gets from each the sum of a number of the call and of both ranks. */
static void exchange(MPI_Comm communicator, int number) {
    int rank, ranks, send[most_ranks], receive[most_ranks];
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &ranks);
    for (int call = 0; call < calls; ++call) {
        for (int i = 0; i < ranks; ++i) send[i] = 1000 * number + 100 * call + 10 * rank + i;
        MPI_Alltoall(send, 1, MPI_INT, receive, 1, MPI_INT, communicator);
        for (int i = 0; i < ranks; ++i) {
            const int expected = 1000 * number + 100 * call + 10 * i + rank;
            check(receive[i] == expected, "call %d: %d instead of %d from rank %d", call,
                  receive[i], expected, i);
        }
    }
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    check_begin();
    for (int round = 0; round < 20; ++round) {
        in_case("round %d", round);
        MPI_Comm first, second, reversed;
        MPI_Comm_dup(MPI_COMM_WORLD, &first);
        exchange(first, 1);
        MPI_Comm_dup(MPI_COMM_WORLD, &second);
        exchange(second, 2);
        MPI_Comm_free(round % 2 == 0 ? &first : &second);
        MPI_Comm_split(MPI_COMM_WORLD, 0, -check_rank, &reversed);
        exchange(reversed, 3);
        exchange(round % 2 == 0 ? second : first, 4);
        MPI_Comm_free(round % 2 == 0 ? &second : &first);
        if (round == 10) exchange(MPI_COMM_WORLD, 5);
        MPI_Comm_free(&reversed);
    }
    const int code = check_end();
    MPI_Finalize();
    return code;
}

/* Communicators of all ranks that come and go, in every order: what was made for one serves the
 * next, which must not meet anything of it, nor serve one whose ranks are in another order.
 *
 * usage: spare_communicators */
#include "exchange.h"

enum { calls = 40 };

/* `number` tells communicators apart. */
static void exchange(MPI_Comm communicator, uint32_t number) {
    for (uint32_t call = 0; call < calls; ++call) {
        check_exchange(communicator, 1, calls * number + call);
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

/* Communicators of all ranks, one after the other, by turns in reverse: each one has another first
 * rank than the one before.
 *
 * usage: successors ROUNDS CALLS */
#include "exchange.h"

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    check_begin();
    if (argc < 3) MPI_Abort(MPI_COMM_WORLD, 2);
    const int rounds = atoi(argv[1]), calls = atoi(argv[2]);
    for (int round = 0; round < rounds; ++round) {
        in_case("round %d", round);
        MPI_Comm next;
        MPI_Comm_split(MPI_COMM_WORLD, 0, round % 2 ? check_rank : -check_rank, &next);
        for (int call = 0; call < calls; ++call) check_exchange(next, 256, (uint32_t)call);
        MPI_Comm_free(&next);
    }
    const int code = check_end();
    MPI_Finalize();
    return code;
}

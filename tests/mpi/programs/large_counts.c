/* The bindings with large counts (MPI-4): MPI_Alltoall_c with every candidate.
 *
 * usage: large_counts [CANDIDATE...] */
#include "exchange.h"
#include "tasuki_control.h"

static void run(const struct candidate* candidate, MPI_Count count, uint32_t seed) {
    const size_t words = (size_t)check_ranks * (size_t)count + 1;
    int *sent = malloc(words * sizeof(int)), *received = calloc(words, sizeof(int));
    MPI_Datatype pair;
    MPI_Type_contiguous_c(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    in_case("%s: MPI_Alltoall_c of %d", candidate->choice, (int)count);
    fill_exchange(sent, check_rank, check_ranks, (int)count, seed);
    MPI_Alltoall_c(sent, count, MPI_INT, received, count / 2, pair, MPI_COMM_WORLD);
    check(is_exchanged(received, check_rank, check_ranks, (int)count, seed), "wrong data");
    check_ran(candidate, check_ranks, 0);
    in_case("%s: MPI_Alltoall_c of %d in place", candidate->choice, (int)count);
    MPI_Alltoall_c(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, sent, count / 2, pair, MPI_COMM_WORLD);
    check(is_exchanged(sent, check_rank, check_ranks, (int)count, seed), "wrong data");
    check_ran(candidate, check_ranks, 0);
    MPI_Type_free(&pair);
    free(sent), free(received);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    check_begin();
    for (int argument = 1; argument < argc; ++argument) {
        struct candidate candidate = parse_candidate(argv[argument]);
        choose(&candidate);
        for (uint32_t call = 0; call < 6; ++call) run(&candidate, 2 + call * call * 100, call);
    }
    int code = check_end();
    MPI_Finalize();
    return code;
}

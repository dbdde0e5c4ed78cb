/* All-to-all-v and gather-v of small blocks, then of larger ones, which must arrive; meanwhile
 * all-gather-v and reduce-scatter of counts that all ranks know, and that change now and then.
 *
 * usage: changed_sizes CALLS_OF_SMALL CALLS_OF_LARGE */
#include <stdlib.h>

#include "check.h"

enum { SMALL = 8, LARGE = 6000, MOST_RANKS = 16 };

static char outgoing[MOST_RANKS * LARGE], incoming[MOST_RANKS * LARGE];

static void exchange(int bytes, int call) {
    int counts[MOST_RANKS], places[MOST_RANKS];
    for (int rank = 0; rank < check_ranks; ++rank) {
        counts[rank] = bytes;
        places[rank] = rank * bytes;
    }
    memset(outgoing, check_rank + call, (size_t)check_ranks * bytes);
    MPI_Alltoallv(outgoing, counts, places, MPI_BYTE, incoming, counts, places, MPI_BYTE,
                  MPI_COMM_WORLD);
    for (int rank = 0; rank < check_ranks; ++rank)
        check(incoming[places[rank] + bytes - 1] == (char)(rank + call), "alltoallv %d", call);
    memset(incoming, 0, (size_t)check_ranks * bytes);
    MPI_Gatherv(outgoing, bytes, MPI_BYTE, incoming, counts, places, MPI_BYTE, 0, MPI_COMM_WORLD);
    for (int rank = 0; rank < check_ranks && check_rank == 0; ++rank)
        check(incoming[places[rank] + bytes - 1] == (char)(rank + call), "gatherv %d", call);
}

static void exchange_known_counts(int call) {
    int counts[MOST_RANKS], places[MOST_RANKS], all = 0;
    int from[3 * MOST_RANKS], to[3 * MOST_RANKS];
    for (int rank = 0; rank < check_ranks; ++rank) {
        counts[rank] = 1 + (rank + call / 20) % 3;
        places[rank] = all;
        all += counts[rank];
    }
    for (int i = 0; i < all; ++i) from[i] = check_rank + call + i;
    memset(to, 0, sizeof to);
    MPI_Allgatherv(from, counts[check_rank], MPI_INT, to, counts, places, MPI_INT, MPI_COMM_WORLD);
    for (int rank = 0; rank < check_ranks; ++rank)
        for (int i = 0; i < counts[rank]; ++i)
            check(to[places[rank] + i] == rank + call + i, "allgatherv %d", call);
    MPI_Reduce_scatter(from, to, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < counts[check_rank]; ++i) {
        int sum = check_ranks * (check_ranks - 1) / 2;
        sum += check_ranks * (call + places[check_rank] + i);
        check(to[i] == sum, "reduce-scatter %d", call);
    }
}

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    MPI_Init(&argc, &argv);
    check_begin();
    for (int call = 0; call < atoi(argv[1]); ++call) {
        exchange(SMALL, call);
        exchange_known_counts(call);
    }
    for (int call = 0; call < atoi(argv[2]); ++call) exchange(LARGE, call);
    int code = check_end();
    MPI_Finalize();
    return code;
}

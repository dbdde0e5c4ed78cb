/* All-to-all-v and gather-v of small blocks, then of larger ones, which must arrive.
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

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    MPI_Init(&argc, &argv);
    check_begin();
    for (int call = 0; call < atoi(argv[1]); ++call) exchange(SMALL, call);
    for (int call = 0; call < atoi(argv[2]); ++call) exchange(LARGE, call);
    int code = check_end();
    MPI_Finalize();
    return code;
}

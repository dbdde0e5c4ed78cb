/* Ranks that only send run ahead of the root of their gatherv: nothing makes them wait for it. If
 * something does, the program hangs.
 *
 * usage: runs_ahead */
#include "check.h"

/* Calls 1101 to 1800 are ahead: none at which ranks look for device memory (1024, 2048), but one at
 * which they would agree on sizes, 1706: of 3,072 B they do so each 682 calls (AgreedSize). */
enum { BEFORE = 1100, AHEAD = 700, NUMBERS = 768, ROOT = 0, DONE = 1 };

static int *received, *counts, *displacements;

static void gather(int calls) {
    for (int call = 0; call < calls; ++call) {
        int mine[NUMBERS];
        for (int i = 0; i < NUMBERS; ++i) mine[i] = 10000 * check_rank + call + i;
        in_case("call %d of %d", call, calls);
        MPI_Gatherv(mine, NUMBERS, MPI_INT, received, counts, displacements, MPI_INT, ROOT,
                    MPI_COMM_WORLD);
        for (int from = 0; check_rank == ROOT && from < check_ranks; ++from)
            for (int i = 0; i < NUMBERS; ++i)
                check(received[from * NUMBERS + i] == 10000 * from + call + i,
                      "number %d from rank %d is %d", i, from, received[from * NUMBERS + i]);
    }
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    check_begin();
    received = malloc((size_t)check_ranks * NUMBERS * sizeof *received);
    counts = malloc((size_t)check_ranks * sizeof *counts);
    displacements = malloc((size_t)check_ranks * sizeof *displacements);
    for (int from = 0; from < check_ranks; ++from) {
        counts[from] = NUMBERS;
        displacements[from] = NUMBERS * from;
    }

    gather(BEFORE);
    int done = 1;
    for (int from = 0; check_rank == ROOT && from < check_ranks; ++from)
        if (from != ROOT)
            MPI_Recv(&done, 1, MPI_INT, from, DONE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    gather(AHEAD);
    if (check_rank != ROOT) MPI_Send(&done, 1, MPI_INT, ROOT, DONE, MPI_COMM_WORLD);

    free(received);
    free(counts);
    free(displacements);
    const int code = check_end();
    MPI_Finalize();
    return code;
}

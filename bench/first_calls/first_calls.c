/* Times the first all-to-alls of a program. See README.md. Rank 0 writes one JSON object. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../common/arguments.h"
#include "../common/payload.h"

static const char usage[] =
    "first_calls BYTES CALLS\n"
    "  BYTES  from each rank to each\n"
    "  CALLS  that are timed together: the first, and then as many more";

enum { INIT, FIRST, NEXT, TIMES };

/* MPI_Wtime() may not be called before MPI_Init. */
static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void fill(char* outgoing, int bytes, int ranks, int rank, long iteration) {
    for (int to = 0; to < ranks; ++to)
        payload_fill(outgoing + (size_t)to * bytes, bytes, rank, to, iteration);
}

static void check(const char* incoming, int bytes, int ranks, int rank, long iteration) {
    for (int from = 0; from < ranks; ++from) {
        if (payload_holds(incoming + (size_t)from * bytes, bytes, from, rank, iteration)) continue;
        fprintf(stderr, "first_calls: wrong block from rank %d on rank %d\n", from, rank);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

int main(int argc, char** argv) {
    double times[TIMES], longest[TIMES];
    double began = seconds();
    MPI_Init(&argc, &argv);
    times[INIT] = seconds() - began;
    if (argc != 3) refuse_arguments(usage);
    int bytes = parse_count(argv[1], usage), calls = parse_count(argv[2], usage);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    char* outgoing = malloc((size_t)ranks * bytes);
    char* incoming = calloc(ranks, bytes);
    if (!outgoing || !incoming) MPI_Abort(MPI_COMM_WORLD, 1);
    fill(outgoing, bytes, ranks, rank, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int part = FIRST; part <= NEXT; ++part) {
        began = seconds();
        for (int call = 0; call < calls; ++call)
            MPI_Alltoall(outgoing, bytes, MPI_BYTE, incoming, bytes, MPI_BYTE, MPI_COMM_WORLD);
        times[part] = seconds() - began;
    }
    check(incoming, bytes, ranks, rank, 0);
    fill(outgoing, bytes, ranks, rank, 1);
    MPI_Alltoall(outgoing, bytes, MPI_BYTE, incoming, bytes, MPI_BYTE, MPI_COMM_WORLD);
    check(incoming, bytes, ranks, rank, 1);
    PMPI_Reduce(times, longest, TIMES, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    free(outgoing);
    free(incoming);
    MPI_Finalize();
    if (rank == 0)
        printf("{\"init_seconds\": %.9f, \"first_seconds\": %.9f, \"next_seconds\": %.9f}\n",
               longest[INIT], longest[FIRST], longest[NEXT]);
    return 0;
}

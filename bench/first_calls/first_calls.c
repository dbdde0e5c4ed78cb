/* Times the first all-to-alls of a program. See README.md. Rank 0 writes one JSON object. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "../common/arguments.h"
#include "../common/clock.h"
#include "../common/equal_blocks.h"

static const char usage[] =
    "first_calls BYTES CALLS\n"
    "  BYTES  from each rank to each\n"
    "  CALLS  that are timed together: the first, and then as many more";

enum { INIT, FIRST, NEXT, TIMES };

int main(int argc, char** argv) {
    double times[TIMES], longest[TIMES];
    double began = monotonic_seconds();
    MPI_Init(&argc, &argv);
    times[INIT] = monotonic_seconds() - began;
    if (argc != 3) refuse_arguments(usage);
    int bytes = parse_count(argv[1], usage), calls = parse_count(argv[2], usage);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    char* outgoing = malloc((size_t)ranks * bytes);
    char* incoming = calloc(ranks, bytes);
    if (!outgoing || !incoming) MPI_Abort(MPI_COMM_WORLD, 1);
    fill_blocks(outgoing, bytes, ranks, rank, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int part = FIRST; part <= NEXT; ++part) {
        began = monotonic_seconds();
        for (int call = 0; call < calls; ++call)
            MPI_Alltoall(outgoing, bytes, MPI_BYTE, incoming, bytes, MPI_BYTE, MPI_COMM_WORLD);
        times[part] = monotonic_seconds() - began;
    }
    check_blocks("first_calls", incoming, bytes, ranks, rank, 0);
    fill_blocks(outgoing, bytes, ranks, rank, 1);
    MPI_Alltoall(outgoing, bytes, MPI_BYTE, incoming, bytes, MPI_BYTE, MPI_COMM_WORLD);
    check_blocks("first_calls", incoming, bytes, ranks, rank, 1);
    PMPI_Reduce(times, longest, TIMES, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    free(outgoing);
    free(incoming);
    MPI_Finalize();
    if (rank == 0)
        printf("{\"init_seconds\": %.9f, \"first_seconds\": %.9f, \"next_seconds\": %.9f}\n",
               longest[INIT], longest[FIRST], longest[NEXT]);
    return 0;
}

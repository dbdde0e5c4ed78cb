/* Times Tasuki's `spread` against a loop written by hand that sends the same messages, in turn.
 * See README.md. Rank 0 writes one JSON object a line for each size. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/arguments.h"
#include "../common/control.h"
#include "../common/equal_blocks.h"
#include "../common/statistics.h"

static const char usage[] =
    "step_machine SECONDS SIZE[,SIZE...]\n"
    "  SECONDS  time to spend on each size\n"
    "  SIZE     bytes from each rank to each";

enum { FEWEST_PAIRS = 5, MOST_PAIRS = 20000, SMALL_BYTES = 4096 };

typedef struct {
    int rank, ranks, bytes;
    char *outgoing, *incoming;
    MPI_Comm communicator; /* a duplicate: as Tasuki's own */
    MPI_Request* requests;
} Exchange;

typedef void Way(Exchange* exchange);

static void by_tasuki(Exchange* exchange) {
    MPI_Alltoall(exchange->outgoing, exchange->bytes, MPI_BYTE, exchange->incoming, exchange->bytes,
                 MPI_BYTE, MPI_COMM_WORLD);
}

static void by_hand(Exchange* exchange) {
    int rank = exchange->rank, ranks = exchange->ranks, bytes = exchange->bytes;
    MPI_Request* request = exchange->requests;
    for (int distance = 1; distance < ranks; ++distance) {
        int source = (rank - distance + ranks) % ranks;
        MPI_Irecv(exchange->incoming + (size_t)source * bytes, bytes, MPI_BYTE, source, 0,
                  exchange->communicator, request++);
    }
    for (int distance = 1; distance < ranks; ++distance) {
        int destination = (rank + distance) % ranks;
        MPI_Isend(exchange->outgoing + (size_t)destination * bytes, bytes, MPI_BYTE, destination, 0,
                  exchange->communicator, request++);
    }
    memcpy(exchange->incoming + (size_t)rank * bytes, exchange->outgoing + (size_t)rank * bytes,
           (size_t)bytes);
    MPI_Waitall((int)(request - exchange->requests), exchange->requests, MPI_STATUSES_IGNORE);
}

/* Several calls after each other, so that the clock and the barrier count little; seconds a call.
 */
static double time_batch(Exchange* exchange, Way* way) {
    int calls = exchange->bytes < SMALL_BYTES ? 20 : 5;
    MPI_Barrier(MPI_COMM_WORLD);
    double began = MPI_Wtime();
    for (int i = 0; i < calls; ++i) way(exchange);
    return (MPI_Wtime() - began) / calls;
}

/* One call whose answer is looked at. */
static void check(Exchange* exchange, Way* way, long iteration) {
    int rank = exchange->rank, bytes = exchange->bytes;
    fill_blocks(exchange->outgoing, bytes, exchange->ranks, rank, iteration);
    memset(exchange->incoming, 0, (size_t)exchange->ranks * bytes);
    way(exchange);
    check_blocks("step_machine", exchange->incoming, bytes, exchange->ranks, rank, iteration);
}

static void check_that_spread_runs(Exchange* exchange, const Control* control) {
    check(exchange, by_tasuki, 0);
    const char* ran = ran_last(control, "alltoall", "spread");
    if (strncmp(ran, "spread", strlen("spread")) == 0) return;
    fprintf(stderr, "step_machine: '%s' ran instead of spread\n", ran);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void measure(Exchange* exchange, const Control* control, double seconds) {
    static double pairs[2][MOST_PAIRS], slowest[2][MOST_PAIRS];
    check_that_spread_runs(exchange, control);
    check(exchange, by_hand, 1);
    double began = MPI_Wtime();
    int pair = 0;
    for (int more = 1; more && pair < MOST_PAIRS; ++pair) {
        /* Machine first, then loop first: what comes first in a pair is not always the same. */
        for (int turn = 0; turn < 2; ++turn) {
            int way = (pair + turn) % 2;
            pairs[way][pair] = time_batch(exchange, way == 0 ? by_tasuki : by_hand);
        }
        more = pair + 1 < FEWEST_PAIRS || MPI_Wtime() - began < seconds;
        MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    check(exchange, by_tasuki, 2);
    for (int way = 0; way < 2; ++way)
        MPI_Reduce(pairs[way], slowest[way], pair, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (exchange->rank != 0) return;
    Summary machine = summarise(slowest[0], pair), loop = summarise(slowest[1], pair);
    printf(
        "{\"bytes\": %d, \"pairs\": %d, \"machine_seconds\": %.9g, \"machine_spread\": %.6g, "
        "\"loop_seconds\": %.9g, \"loop_spread\": %.6g}\n",
        exchange->bytes, pair, machine.median, relative_spread(&machine), loop.median,
        relative_spread(&loop));
    fflush(stdout);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    if (argc != 3) refuse_arguments(usage);
    double seconds = parse_seconds(argv[1], usage);
    Sizes sizes = parse_sizes(argv[2], usage);
    Control control = find_control();
    choose_algorithm(&control, "alltoall", "spread");

    Exchange exchange;
    MPI_Comm_dup(MPI_COMM_WORLD, &exchange.communicator);
    MPI_Comm_rank(MPI_COMM_WORLD, &exchange.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &exchange.ranks);
    exchange.requests = malloc(2 * (size_t)exchange.ranks * sizeof *exchange.requests);
    for (int i = 0; i < sizes.count; ++i) {
        exchange.bytes = sizes.bytes[i];
        exchange.outgoing = malloc((size_t)exchange.ranks * exchange.bytes);
        exchange.incoming = malloc((size_t)exchange.ranks * exchange.bytes);
        if (!exchange.requests || !exchange.outgoing || !exchange.incoming) {
            fprintf(stderr, "step_machine: not enough memory for %d bytes\n", exchange.bytes);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
        measure(&exchange, &control, seconds);
        free(exchange.outgoing);
        free(exchange.incoming);
    }
    free(exchange.requests);
    MPI_Comm_free(&exchange.communicator);
    MPI_Finalize();
    return 0;
}

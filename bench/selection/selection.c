/* Times runs of many calls of MPI_Alltoall by each way, in turn. See README.md. Rank 0 writes one
 * JSON object a line for each size and way. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/arguments.h"
#include "../common/control.h"
#include "../common/equal_blocks.h"
#include "../common/order.h"

static const char usage[] =
    "selection CALLS SECONDS REPETITIONS SIZE[,SIZE...] WAY...\n"
    "  CALLS        in a run, at most\n"
    "  SECONDS      a run may take about so long\n"
    "  REPETITIONS  runs of each way\n"
    "  SIZE         bytes from each rank to each\n"
    "  WAY          what tasuki_choose() takes; at most 128";

static const char native[] = "native";

enum { MOST_WAYS = 128, MOST_REPETITIONS = 64, FEWEST_CALLS = 5 };

/* Of the time for a run: a trial of the calls that fit takes it at least. */
static const double TRIAL_SHARE = 0.1;

/* A fixed algorithm that would take so many times as long as the host's own may gets fewer calls:
 * it is not the best, and where ranks share cores some take a thousand times as long. */
static const double MOST_TIMES_LONGER = 2;

typedef struct {
    int rank, ranks, bytes;
    char *outgoing, *incoming;
    MPI_Comm communicator;
} Exchange;

static void call(const Exchange* exchange) {
    MPI_Alltoall(exchange->outgoing, exchange->bytes, MPI_BYTE, exchange->incoming, exchange->bytes,
                 MPI_BYTE, exchange->communicator);
}

static void call_and_check(const Exchange* exchange, long iteration) {
    int rank = exchange->rank, bytes = exchange->bytes;
    fill_blocks(exchange->outgoing, bytes, exchange->ranks, rank, iteration);
    memset(exchange->incoming, 0, (size_t)exchange->ranks * bytes);
    call(exchange);
    check_blocks("selection", exchange->incoming, bytes, exchange->ranks, rank, iteration);
}

/* Seconds of `calls` calls, on the slowest rank. */
static double time_calls(const Exchange* exchange, int calls) {
    MPI_Barrier(exchange->communicator);
    double began = MPI_Wtime();
    for (int i = 0; i < calls; ++i) call(exchange);
    double seconds = MPI_Wtime() - began, slowest;
    MPI_Allreduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, exchange->communicator);
    return slowest;
}

/* How many calls of `way` fit into the time, by a trial that takes a good part of it: where ranks
 * share cores they come out of a barrier milliseconds apart. */
static int calls_in(Exchange* exchange, const Control* control, const char* way, int most,
                    double seconds) {
    choose_algorithm(control, "alltoall", way);
    double enough = TRIAL_SHARE * seconds, taken;
    int calls = FEWEST_CALLS;
    for (;; calls *= 2) {
        taken = time_calls(exchange, calls);
        if (taken >= enough) {
            double again = time_calls(exchange, calls);
            if (again < taken) taken = again;
        }
        if (taken >= enough || calls >= most) break;
    }
    double fitting = seconds / (taken / calls);
    return fitting > most ? most : fitting < FEWEST_CALLS ? FEWEST_CALLS : (int)fitting;
}

/* The host's own says how many calls there are, and of what learns all count. */
static int makes_all_calls(const char* way) {
    return strcmp(way, native) == 0 || strncmp(way, "auto", 4) == 0;
}

/* One run of `way`, on a communicator that knows nothing yet; seconds a call. */
static double run(Exchange* exchange, const Control* control, const char* way, int calls, char* ran,
                  size_t size) {
    choose_algorithm(control, "alltoall", way);
    MPI_Comm_dup(MPI_COMM_WORLD, &exchange->communicator);
    double seconds = time_calls(exchange, calls) / calls;
    call_and_check(exchange, calls);
    snprintf(ran, size, "%s", ran_last(control, "alltoall", way));
    MPI_Comm_free(&exchange->communicator);
    exchange->communicator = MPI_COMM_WORLD;
    return seconds;
}

static void measure(Exchange* exchange, const Control* control, int most_calls, double seconds,
                    int repetitions, char** ways, int count) {
    static double times[MOST_WAYS][MOST_REPETITIONS];
    static char ran[MOST_WAYS][256];
    static int calls[MOST_WAYS];
    int most = calls_in(exchange, control, native, most_calls, seconds);
    for (int way = 0; way < count; ++way)
        calls[way] = makes_all_calls(ways[way]) ? most
                                                : calls_in(exchange, control, ways[way], most,
                                                           MOST_TIMES_LONGER * seconds);
    for (int repetition = 0; repetition < repetitions; ++repetition) {
        int order[MOST_WAYS];
        shuffled_order(order, count, (uint32_t)repetition);
        for (int turn = 0; turn < count; ++turn) {
            int way = order[turn];
            times[way][repetition] =
                run(exchange, control, ways[way], calls[way], ran[way], sizeof ran[way]);
        }
    }
    if (exchange->rank != 0) return;
    for (int way = 0; way < count; ++way) {
        printf("{\"bytes\": %d, \"way\": \"%s\", \"ran\": \"%s\", \"calls\": %d, \"seconds\": [",
               exchange->bytes, ways[way], ran[way], calls[way]);
        for (int repetition = 0; repetition < repetitions; ++repetition)
            printf("%s%.9g", repetition ? ", " : "", times[way][repetition]);
        printf("]}\n");
    }
    fflush(stdout);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    if (argc < 6 || argc - 5 > MOST_WAYS) refuse_arguments(usage);
    int calls = parse_count(argv[1], usage);
    double seconds = parse_seconds(argv[2], usage);
    int repetitions = parse_count(argv[3], usage);
    if (repetitions > MOST_REPETITIONS) refuse_arguments(usage);
    Sizes sizes = parse_sizes(argv[4], usage);
    Control control = find_control();

    Exchange exchange = {.communicator = MPI_COMM_WORLD};
    MPI_Comm_rank(MPI_COMM_WORLD, &exchange.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &exchange.ranks);
    for (int i = 0; i < sizes.count; ++i) {
        exchange.bytes = sizes.bytes[i];
        exchange.outgoing = calloc((size_t)exchange.ranks, exchange.bytes);
        exchange.incoming = malloc((size_t)exchange.ranks * exchange.bytes);
        if (!exchange.outgoing || !exchange.incoming) {
            fprintf(stderr, "selection: not enough memory for %d bytes\n", exchange.bytes);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
        measure(&exchange, &control, calls, seconds, repetitions, argv + 5, argc - 5);
        free(exchange.outgoing);
        free(exchange.incoming);
    }
    MPI_Finalize();
    return 0;
}

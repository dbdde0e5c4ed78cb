/* Times messages between pairs of ranks by MPI_Send and MPI_Recv. See README.md. Rank 0 writes one
 * JSON object a line for each size and order. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/arguments.h"
#include "../common/payload.h"
#include "../common/statistics.h"
#include "slots.h"
#include "stream.h"

static const char usage[] =
    "host_transport SECONDS SIZE[,SIZE...] ROUNDS [FOLDER]\n"
    "  SECONDS  time to spend on each size and order in a round\n"
    "  SIZE     bytes of a message\n"
    "  ROUNDS   how often each size is measured\n"
    "  FOLDER   of pipes, one for each rank: a byte there begins a round of a size and order";

enum { FEWEST_BATCHES = 5, MOST_BATCHES = 5000 };

typedef struct {
    int rank, partner, begins, bytes, passes_on;
    char *outgoing, *incoming;
    char* stream; /* the messages of a window, sent or received */
    int window;
} Pair;

typedef void Turn(Pair* pair);

/* In which order sender and receiver come. */
typedef struct {
    const char* name;
    Turn* turn;
    int messages; /* one after the other in a turn; 0: a window of them, one way */
} Order;

/* What has come is what is sent next. */
static void pass_on(Pair* pair) {
    if (!pair->passes_on) return;
    char* came = pair->incoming;
    pair->incoming = pair->outgoing;
    pair->outgoing = came;
}

static void ping_pong(Pair* pair) {
    if (pair->begins)
        MPI_Send(pair->outgoing, pair->bytes, MPI_BYTE, pair->partner, 0, MPI_COMM_WORLD);
    MPI_Recv(pair->incoming, pair->bytes, MPI_BYTE, pair->partner, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    pass_on(pair);
    if (!pair->begins)
        MPI_Send(pair->outgoing, pair->bytes, MPI_BYTE, pair->partner, 0, MPI_COMM_WORLD);
}

static void exchange(Pair* pair) {
    MPI_Request request;
    MPI_Isend(pair->outgoing, pair->bytes, MPI_BYTE, pair->partner, 0, MPI_COMM_WORLD, &request);
    MPI_Recv(pair->incoming, pair->bytes, MPI_BYTE, pair->partner, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    pass_on(pair);
}

static char* streamed(const Pair* pair, int message) {
    return pair->stream + (size_t)message * pair->bytes;
}

static void stream(Pair* pair) {
    MPI_Request requests[STREAM_MOST_MESSAGES];
    char answer[8] = {0};
    for (int i = 0; i < pair->window; ++i) {
        if (pair->begins)
            MPI_Isend(streamed(pair, i), pair->bytes, MPI_BYTE, pair->partner, 0, MPI_COMM_WORLD,
                      &requests[i]);
        else
            MPI_Irecv(streamed(pair, i), pair->bytes, MPI_BYTE, pair->partner, 0, MPI_COMM_WORLD,
                      &requests[i]);
    }
    MPI_Waitall(pair->window, requests, MPI_STATUSES_IGNORE);
    if (pair->begins)
        MPI_Recv(answer, sizeof answer, MPI_BYTE, pair->partner, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    else
        MPI_Send(answer, sizeof answer, MPI_BYTE, pair->partner, 0, MPI_COMM_WORLD);
}

static const Order orders[] = {
    {"receiver first", ping_pong, 2}, {"sender first", exchange, 1}, {"stream", stream, 0}};
enum { ORDERS = sizeof orders / sizeof *orders };

/* Fills what is sent in a turn, and clears what is received. */
static void fill(Pair* pair) {
    payload_fill(pair->outgoing, pair->bytes, pair->rank, pair->partner, pair->bytes);
    memset(pair->incoming, 0, pair->bytes);
    memset(pair->stream, 0, (size_t)pair->window * pair->bytes);
    for (int i = 0; pair->begins && i < pair->window; ++i)
        payload_fill(streamed(pair, i), pair->bytes, pair->rank, pair->partner, pair->bytes + i);
}

static int has_come(const Pair* pair, const Order* order) {
    if (order->messages)
        return payload_holds(pair->incoming, pair->bytes, pair->partner, pair->rank, pair->bytes);
    int holds = 1;
    for (int i = 0; !pair->begins && i < pair->window; ++i)
        holds = holds && payload_holds(streamed(pair, i), pair->bytes, pair->partner, pair->rank,
                                       pair->bytes + i);
    return holds;
}

static void check(Pair* pair, const Order* order) {
    pair->passes_on = 0;
    fill(pair);
    order->turn(pair);
    if (has_come(pair, order)) return;
    fprintf(stderr, "host_transport: rank %d, %d bytes: the data received is wrong\n", pair->rank,
            pair->bytes);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void measure(Pair* pair, const Order* order, double seconds) {
    static double batches[MOST_BATCHES];
    int messages = order->messages ? order->messages : pair->window;
    int turns = pair->bytes <= 1024 ? 200 : pair->bytes <= 65536 ? 40 : 4;
    if (!order->messages) turns = 4 * turns < pair->window ? 1 : 4 * turns / pair->window;
    check(pair, order);
    pair->passes_on = 1;
    double began = MPI_Wtime();
    int batch = 0;
    for (int more = 1; more && batch < MOST_BATCHES; ++batch) {
        double start = MPI_Wtime();
        for (int i = 0; i < turns; ++i) order->turn(pair);
        batches[batch] = (MPI_Wtime() - start) / turns / messages;
        more = batch + 1 < FEWEST_BATCHES || MPI_Wtime() - began < seconds;
        MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    if (pair->rank != 0) return;
    Summary all = summarise(batches, batch);
    printf(
        "{\"way\": \"host\", \"order\": \"%s\", \"bytes\": %d, \"median_seconds\": %.9g, "
        "\"spread\": %.6g}\n",
        order->name, pair->bytes, all.median, relative_spread(&all));
    fflush(stdout);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    if (argc < 4 || argc > 5) refuse_arguments(usage);
    double seconds = parse_seconds(argv[1], usage);
    Sizes sizes = parse_sizes(argv[2], usage);
    int rounds = parse_count(argv[3], usage);
    Pair pair;
    int ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &pair.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    pair.partner = (pair.rank + ranks / 2) % ranks;
    pair.begins = pair.rank < ranks / 2;
    int slots = open_slots(argv[4], pair.rank);
    for (int i = 0; i < sizes.count; ++i) {
        pair.bytes = sizes.bytes[i];
        pair.outgoing = malloc(pair.bytes);
        pair.incoming = malloc(pair.bytes);
        pair.window = stream_window(pair.bytes);
        pair.stream = malloc((size_t)pair.window * pair.bytes);
        if (!pair.outgoing || !pair.incoming || !pair.stream) MPI_Abort(MPI_COMM_WORLD, 1);
        for (int slot = 0; slot < ORDERS * rounds; ++slot) {
            await_slot(slots);
            measure(&pair, &orders[slot / rounds], seconds);
        }
        free(pair.outgoing);
        free(pair.incoming);
        free(pair.stream);
    }
    MPI_Finalize();
    return 0;
}

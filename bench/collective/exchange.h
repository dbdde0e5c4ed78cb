/* What a timed collective works on. */
#pragma once

#include <mpi.h>
#include <stdlib.h>

/* Which way data flows.
 *
 * A rank that is done with a broadcast before the others have begun could begin the next one, and
 * many calls would overlap; where calls take turns between two directions, each has to wait for the
 * one before. With a root, the other direction has the last rank as root. Where the order of ranks
 * decides, as in a scan, it is a communicator with the ranks in reverse order. */
typedef struct {
    MPI_Comm communicator;
    int rank, root;
    int is_reversed;
} Direction;

typedef struct {
    int rank, ranks; /* in MPI_COMM_WORLD */
    Direction forth, from_last, reversed;
    int bytes; /* of a block, or of the vector */
    char *outgoing, *incoming;
    int *counts, *displacements; /* of the blocks of all ranks, in bytes */
} Exchange;

static inline Exchange make_exchange(void) {
    Exchange exchange = {.forth = {.communicator = MPI_COMM_WORLD}, .reversed = {.is_reversed = 1}};
    PMPI_Comm_rank(MPI_COMM_WORLD, &exchange.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &exchange.ranks);
    exchange.forth.rank = exchange.rank;
    exchange.from_last = exchange.forth;
    exchange.from_last.root = exchange.ranks - 1;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -exchange.rank, &exchange.reversed.communicator);
    PMPI_Comm_rank(exchange.reversed.communicator, &exchange.reversed.rank);
    exchange.counts = calloc((size_t)exchange.ranks, sizeof(int));
    exchange.displacements = calloc((size_t)exchange.ranks, sizeof(int));
    return exchange;
}

static inline void free_exchange(Exchange* exchange) {
    MPI_Comm_free(&exchange->reversed.communicator);
    free(exchange->counts);
    free(exchange->displacements);
}

/* Room for `bytes` from each rank to each; 0 if there is not so much memory. Nothing is touched of
 * what a collective does not need. */
static inline int allocate_buffers(Exchange* exchange, int bytes) {
    size_t room = (size_t)exchange->ranks * (size_t)bytes;
    exchange->bytes = bytes;
    exchange->outgoing = malloc(room ? room : 1);
    exchange->incoming = malloc(room ? room : 1);
    for (int rank = 0; rank < exchange->ranks; ++rank) {
        exchange->counts[rank] = bytes;
        exchange->displacements[rank] = (int)((size_t)rank * (size_t)bytes);
    }
    return exchange->outgoing && exchange->incoming;
}

static inline void free_buffers(Exchange* exchange) {
    free(exchange->outgoing);
    free(exchange->incoming);
}

/* The rank in MPI_COMM_WORLD of a rank of the direction's communicator. */
static inline int in_world(const Exchange* exchange, const Direction* direction, int rank) {
    return direction->is_reversed ? exchange->ranks - 1 - rank : rank;
}

/* What a timed collective works on. */
#pragma once

#include <mpi.h>
#include <stdlib.h>

#include "blocks.h"

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
    int bytes;         /* of a block, or of the vector; where blocks differ, about their mean */
    size_t most_bytes; /* that a block may have */
    char *outgoing, *incoming;
    /* Where blocks differ: one of each rank; what goes from here to each, and comes from each. */
    Blocks of_ranks, sent, received;
    MPI_Datatype* types; /* of what goes between here and each rank, by a w-form */
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
    exchange.of_ranks = make_blocks(exchange.ranks);
    exchange.sent = make_blocks(exchange.ranks);
    exchange.received = make_blocks(exchange.ranks);
    exchange.types = calloc((size_t)exchange.ranks, sizeof(MPI_Datatype));
    for (int peer = 0; peer < exchange.ranks; ++peer)
        exchange.types[peer] = (exchange.rank + peer) % 2 ? MPI_CHAR : MPI_BYTE;
    return exchange;
}

static inline void free_exchange(Exchange* exchange) {
    MPI_Comm_free(&exchange->reversed.communicator);
    free_blocks(&exchange->of_ranks);
    free_blocks(&exchange->sent);
    free_blocks(&exchange->received);
    free(exchange->types);
}

/* Room for a block from each rank to each; 0 if there is not so much memory. Nothing is touched of
 * what a collective does not need. */
static inline int allocate_buffers(Exchange* exchange, int bytes, size_t most_bytes) {
    size_t room = (size_t)exchange->ranks * most_bytes;
    exchange->bytes = bytes;
    exchange->most_bytes = most_bytes;
    exchange->outgoing = malloc(room ? room : 1);
    exchange->incoming = malloc(room ? room : 1);
    return exchange->outgoing && exchange->incoming;
}

/* Where blocks differ: lays them out, for `units` in the mean. */
static inline void lay_out_blocks(Exchange* exchange, int units) {
    const int rank = exchange->rank, ranks = exchange->ranks;
    for (int peer = 0; peer < ranks; ++peer) {
        exchange->of_ranks.counts[peer] = uneven_block(units, peer);
        exchange->sent.counts[peer] = uneven_exchanged_block(units, rank, peer);
        exchange->received.counts[peer] = uneven_exchanged_block(units, peer, rank);
    }
    lay_out(&exchange->of_ranks, ranks);
    lay_out(&exchange->sent, ranks);
    lay_out(&exchange->received, ranks);
}

static inline void free_buffers(Exchange* exchange) {
    free(exchange->outgoing);
    free(exchange->incoming);
}

/* The rank in MPI_COMM_WORLD of a rank of the direction's communicator. */
static inline int in_world(const Exchange* exchange, const Direction* direction, int rank) {
    return direction->is_reversed ? exchange->ranks - 1 - rank : rank;
}

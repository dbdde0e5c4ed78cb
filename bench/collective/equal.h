/* Collectives whose blocks have the same size on all ranks: what each sends, its call, and what
 * must have come. */
#pragma once

#include <string.h>

#include "../common/payload.h"
#include "../common/vector.h"
#include "exchange.h"

static inline char* block_of(char* blocks, const Exchange* exchange, int rank) {
    return blocks + (size_t)rank * (size_t)exchange->bytes;
}

/* --- what is sent ---------------------------------------------------------------------------- */

static inline void fill_nothing(const Exchange* exchange, long iteration) {
    (void)exchange, (void)iteration;
}

/* The roots of both directions begin with the same data. */
static inline int is_root(const Exchange* exchange) {
    return exchange->rank == exchange->forth.root || exchange->rank == exchange->from_last.root;
}

/* The broadcast's buffer is the incoming one. */
static inline void fill_broadcast(const Exchange* exchange, long iteration) {
    if (exchange->rank == exchange->forth.root)
        payload_fill(exchange->incoming, exchange->bytes, 0, 0, iteration);
}

static inline void fill_own_block(const Exchange* exchange, long iteration) {
    payload_fill(exchange->outgoing, exchange->bytes, exchange->rank, 0, iteration);
}

static inline void fill_blocks(const Exchange* exchange, int from, long iteration) {
    for (int to = 0; to < exchange->ranks; ++to)
        payload_fill(block_of(exchange->outgoing, exchange, to), exchange->bytes, from, to,
                     iteration);
}

static inline void fill_blocks_of_root(const Exchange* exchange, long iteration) {
    if (is_root(exchange)) fill_blocks(exchange, 0, iteration);
}

static inline void fill_own_blocks(const Exchange* exchange, long iteration) {
    fill_blocks(exchange, exchange->rank, iteration);
}

static inline size_t doubles_of(const Exchange* exchange) {
    return (size_t)exchange->bytes / sizeof(double);
}

static inline void fill_vector(const Exchange* exchange, long iteration) {
    vector_fill((double*)exchange->outgoing, doubles_of(exchange), vector_weight(exchange->rank),
                iteration);
}

static inline void fill_long_vector(const Exchange* exchange, long iteration) {
    vector_fill((double*)exchange->outgoing, doubles_of(exchange) * (size_t)exchange->ranks,
                vector_weight(exchange->rank), iteration);
}

/* --- the calls ------------------------------------------------------------------------------- */

static inline void call_barrier(const Exchange* exchange, const Direction* direction) {
    (void)exchange;
    MPI_Barrier(direction->communicator);
}

static inline void call_bcast(const Exchange* exchange, const Direction* direction) {
    MPI_Bcast(exchange->incoming, exchange->bytes, MPI_BYTE, direction->root,
              direction->communicator);
}

static inline void call_reduce(const Exchange* exchange, const Direction* direction) {
    MPI_Reduce(exchange->outgoing, exchange->incoming, (int)doubles_of(exchange), MPI_DOUBLE,
               MPI_SUM, direction->root, direction->communicator);
}

static inline void call_allreduce(const Exchange* exchange, const Direction* direction) {
    MPI_Allreduce(exchange->outgoing, exchange->incoming, (int)doubles_of(exchange), MPI_DOUBLE,
                  MPI_SUM, direction->communicator);
}

static inline void call_reduce_scatter(const Exchange* exchange, const Direction* direction) {
    MPI_Reduce_scatter_block(exchange->outgoing, exchange->incoming, (int)doubles_of(exchange),
                             MPI_DOUBLE, MPI_SUM, direction->communicator);
}

static inline void call_scan(const Exchange* exchange, const Direction* direction) {
    MPI_Scan(exchange->outgoing, exchange->incoming, (int)doubles_of(exchange), MPI_DOUBLE, MPI_SUM,
             direction->communicator);
}

static inline void call_exscan(const Exchange* exchange, const Direction* direction) {
    MPI_Exscan(exchange->outgoing, exchange->incoming, (int)doubles_of(exchange), MPI_DOUBLE,
               MPI_SUM, direction->communicator);
}

static inline void call_gather(const Exchange* exchange, const Direction* direction) {
    MPI_Gather(exchange->outgoing, exchange->bytes, MPI_BYTE, exchange->incoming, exchange->bytes,
               MPI_BYTE, direction->root, direction->communicator);
}

static inline void call_scatter(const Exchange* exchange, const Direction* direction) {
    MPI_Scatter(exchange->outgoing, exchange->bytes, MPI_BYTE, exchange->incoming, exchange->bytes,
                MPI_BYTE, direction->root, direction->communicator);
}

static inline void call_allgather(const Exchange* exchange, const Direction* direction) {
    MPI_Allgather(exchange->outgoing, exchange->bytes, MPI_BYTE, exchange->incoming,
                  exchange->bytes, MPI_BYTE, direction->communicator);
}

static inline void call_alltoall(const Exchange* exchange, const Direction* direction) {
    MPI_Alltoall(exchange->outgoing, exchange->bytes, MPI_BYTE, exchange->incoming, exchange->bytes,
                 MPI_BYTE, direction->communicator);
}

/* --- what must have come, on this rank, by the last call ------------------------------------- */

static inline int holds_always(const Exchange* exchange, const Direction* direction,
                               long iteration) {
    (void)exchange, (void)direction, (void)iteration;
    return 1;
}

static inline int holds_broadcast(const Exchange* exchange, const Direction* direction,
                                  long iteration) {
    (void)direction;
    return payload_holds(exchange->incoming, exchange->bytes, 0, 0, iteration);
}

/* `count` elements of the sum of what the first `ranks` ranks of the direction have, from `begin`
 * on. */
static inline int holds_sum(const Exchange* exchange, const Direction* direction, int ranks,
                            size_t begin, size_t count, long iteration) {
    double weight = 0;
    for (int rank = 0; rank < ranks; ++rank)
        weight += vector_weight(in_world(exchange, direction, rank));
    return vector_holds((const double*)exchange->incoming, begin, count, weight, iteration);
}

static inline int holds_sum_of_all(const Exchange* exchange, const Direction* direction,
                                   long iteration) {
    return holds_sum(exchange, direction, exchange->ranks, 0, doubles_of(exchange), iteration);
}

static inline int holds_sum_at_root(const Exchange* exchange, const Direction* direction,
                                    long iteration) {
    return direction->rank != direction->root || holds_sum_of_all(exchange, direction, iteration);
}

static inline int holds_block_of_sum(const Exchange* exchange, const Direction* direction,
                                     long iteration) {
    return holds_sum(exchange, direction, exchange->ranks,
                     doubles_of(exchange) * (size_t)direction->rank, doubles_of(exchange),
                     iteration);
}

static inline int holds_sum_up_to_here(const Exchange* exchange, const Direction* direction,
                                       long iteration) {
    return holds_sum(exchange, direction, direction->rank + 1, 0, doubles_of(exchange), iteration);
}

/* What the first rank has is undefined. */
static inline int holds_sum_before(const Exchange* exchange, const Direction* direction,
                                   long iteration) {
    return direction->rank == 0 ||
           holds_sum(exchange, direction, direction->rank, 0, doubles_of(exchange), iteration);
}

/* A block from each rank, that was meant for `to`. */
static inline int holds_blocks(const Exchange* exchange, const Direction* direction, int to,
                               long iteration) {
    int wrong = 0;
    for (int from = 0; from < exchange->ranks; ++from)
        wrong |= !payload_holds(block_of(exchange->incoming, exchange, from), exchange->bytes,
                                in_world(exchange, direction, from), to, iteration);
    return !wrong;
}

static inline int holds_gathered(const Exchange* exchange, const Direction* direction,
                                 long iteration) {
    return holds_blocks(exchange, direction, 0, iteration);
}

static inline int holds_gathered_at_root(const Exchange* exchange, const Direction* direction,
                                         long iteration) {
    return direction->rank != direction->root || holds_gathered(exchange, direction, iteration);
}

static inline int holds_scattered(const Exchange* exchange, const Direction* direction,
                                  long iteration) {
    return payload_holds(exchange->incoming, exchange->bytes, 0, direction->rank, iteration);
}

static inline int holds_exchanged(const Exchange* exchange, const Direction* direction,
                                  long iteration) {
    return holds_blocks(exchange, direction, direction->rank, iteration);
}

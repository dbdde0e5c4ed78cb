/* Collectives whose blocks differ in size, v- and w-forms: what each sends, its call, and what must
 * have come. */
#pragma once

#include "../common/payload.h"
#include "equal.h"
#include "exchange.h"

/* Bytes of what the blocks hold, and where they are in `data`. */
static inline size_t count_of(const Blocks* blocks, int rank) {
    return (size_t)blocks->counts[rank];
}

static inline char* place_of(char* data, const Blocks* blocks, int rank) {
    return data + blocks->displacements[rank];
}

/* --- what is sent ---------------------------------------------------------------------------- */

static inline void fill_own_uneven_block(const Exchange* exchange, long iteration) {
    payload_fill(exchange->outgoing, count_of(&exchange->of_ranks, exchange->rank), exchange->rank,
                 0, iteration);
}

static inline void fill_each(const Exchange* exchange, const Blocks* blocks, int from,
                             long iteration) {
    for (int to = 0; to < exchange->ranks; ++to)
        payload_fill(place_of(exchange->outgoing, blocks, to), count_of(blocks, to), from, to,
                     iteration);
}

static inline void fill_uneven_blocks_of_root(const Exchange* exchange, long iteration) {
    if (is_root(exchange)) fill_each(exchange, &exchange->of_ranks, 0, iteration);
}

static inline void fill_uneven_blocks(const Exchange* exchange, long iteration) {
    fill_each(exchange, &exchange->sent, exchange->rank, iteration);
}

static inline void fill_uneven_vector(const Exchange* exchange, long iteration) {
    const Blocks* blocks = &exchange->of_ranks;
    int last = exchange->ranks - 1;
    size_t doubles = (size_t)blocks->displacements[last] + count_of(blocks, last);
    vector_fill((double*)exchange->outgoing, doubles, vector_weight(exchange->rank), iteration);
}

/* --- the calls ------------------------------------------------------------------------------- */

static inline void call_reduce_scatterv(const Exchange* exchange, const Direction* direction) {
    MPI_Reduce_scatter(exchange->outgoing, exchange->incoming, exchange->of_ranks.counts,
                       MPI_DOUBLE, MPI_SUM, direction->communicator);
}

static inline void call_gatherv(const Exchange* exchange, const Direction* direction) {
    const Blocks* blocks = &exchange->of_ranks;
    MPI_Gatherv(exchange->outgoing, blocks->counts[direction->rank], MPI_BYTE, exchange->incoming,
                blocks->counts, blocks->displacements, MPI_BYTE, direction->root,
                direction->communicator);
}

static inline void call_scatterv(const Exchange* exchange, const Direction* direction) {
    const Blocks* blocks = &exchange->of_ranks;
    MPI_Scatterv(exchange->outgoing, blocks->counts, blocks->displacements, MPI_BYTE,
                 exchange->incoming, blocks->counts[direction->rank], MPI_BYTE, direction->root,
                 direction->communicator);
}

static inline void call_allgatherv(const Exchange* exchange, const Direction* direction) {
    const Blocks* blocks = &exchange->of_ranks;
    MPI_Allgatherv(exchange->outgoing, blocks->counts[direction->rank], MPI_BYTE,
                   exchange->incoming, blocks->counts, blocks->displacements, MPI_BYTE,
                   direction->communicator);
}

static inline void call_alltoallv(const Exchange* exchange, const Direction* direction) {
    const Blocks *sent = &exchange->sent, *received = &exchange->received;
    MPI_Alltoallv(exchange->outgoing, sent->counts, sent->displacements, MPI_BYTE,
                  exchange->incoming, received->counts, received->displacements, MPI_BYTE,
                  direction->communicator);
}

static inline void call_alltoallw(const Exchange* exchange, const Direction* direction) {
    const Blocks *sent = &exchange->sent, *received = &exchange->received;
    MPI_Alltoallw(exchange->outgoing, sent->counts, sent->displacements, exchange->types,
                  exchange->incoming, received->counts, received->displacements, exchange->types,
                  direction->communicator);
}

/* --- what must have come, on this rank, by the last call ------------------------------------- */

static inline int holds_uneven_block_of_sum(const Exchange* exchange, const Direction* direction,
                                            long iteration) {
    const Blocks* blocks = &exchange->of_ranks;
    return holds_sum(exchange, direction, exchange->ranks,
                     (size_t)blocks->displacements[direction->rank],
                     count_of(blocks, direction->rank), iteration);
}

/* A block from each rank, that was meant for `to`. */
static inline int holds_each(const Exchange* exchange, const Blocks* blocks, int to,
                             long iteration) {
    int wrong = 0;
    for (int from = 0; from < exchange->ranks; ++from)
        wrong |= !payload_holds(place_of(exchange->incoming, blocks, from), count_of(blocks, from),
                                from, to, iteration);
    return !wrong;
}

static inline int holds_unevenly_gathered(const Exchange* exchange, const Direction* direction,
                                          long iteration) {
    (void)direction;
    return holds_each(exchange, &exchange->of_ranks, 0, iteration);
}

static inline int holds_unevenly_gathered_at_root(const Exchange* exchange,
                                                  const Direction* direction, long iteration) {
    return direction->rank != direction->root ||
           holds_unevenly_gathered(exchange, direction, iteration);
}

static inline int holds_unevenly_scattered(const Exchange* exchange, const Direction* direction,
                                           long iteration) {
    return payload_holds(exchange->incoming, count_of(&exchange->of_ranks, direction->rank), 0,
                         direction->rank, iteration);
}

static inline int holds_unevenly_exchanged(const Exchange* exchange, const Direction* direction,
                                           long iteration) {
    return holds_each(exchange, &exchange->received, direction->rank, iteration);
}

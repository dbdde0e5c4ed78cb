/* Blocks whose sizes differ, as v-forms move them. */
#pragma once

#include <stdlib.h>

/* One behind the other, in the units of the call: bytes, or doubles where they are added. */
typedef struct {
    int *counts, *displacements; /* of each rank */
} Blocks;

/* Sizes over the one that was asked for, in quarters. Their mean is 1 over all four, and over the
 * first two and the last two: over an even number of ranks. */
enum { QUARTERS = 4, LARGEST_QUARTERS = 6, SHARES = 4 };

/* The units of a block for which `units` were asked for: at least one, unless that is none. */
static inline int uneven_block(int units, int place) {
    static const int quarters[SHARES] = {2, LARGEST_QUARTERS, 3, 5};
    int block = (int)((long)units * quarters[place % SHARES] / QUARTERS);
    return block > 0 || units == 0 ? block : 1;
}

/* No block is larger; this may be more than an int holds. */
static inline size_t largest_uneven_block(int units) {
    return (size_t)units * LARGEST_QUARTERS / QUARTERS;
}

/* Of what `from` sends to `to`. Each rank sends all sizes, and receives two of them: where ranks
 * are even in number all send equally much, and some receive more than twice as much as others. */
static inline int uneven_exchanged_block(int units, int from, int to) {
    return uneven_block(units, 2 * from + to);
}

static inline Blocks make_blocks(int ranks) {
    return (Blocks){calloc((size_t)ranks, sizeof(int)), calloc((size_t)ranks, sizeof(int))};
}

static inline void free_blocks(Blocks* blocks) {
    free(blocks->counts);
    free(blocks->displacements);
}

/* Sets the displacements from the counts. */
static inline void lay_out(Blocks* blocks, int ranks) {
    for (int rank = 1; rank < ranks; ++rank)
        blocks->displacements[rank] = blocks->displacements[rank - 1] + blocks->counts[rank - 1];
}

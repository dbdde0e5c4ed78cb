/* The blocks of an all-to-all, all of `bytes`, that is checked. */
#pragma once

#include <mpi.h>
#include <stdio.h>

#include "payload.h"

static inline void fill_blocks(char* outgoing, int bytes, int ranks, int rank, long iteration) {
    for (int to = 0; to < ranks; ++to)
        payload_fill(outgoing + (size_t)to * bytes, bytes, rank, to, iteration);
}

/* Ends the run of `program` if they are not what all ranks filled in. */
static inline void check_blocks(const char* program, const char* incoming, int bytes, int ranks,
                                int rank, long iteration) {
    for (int from = 0; from < ranks; ++from) {
        if (payload_holds(incoming + (size_t)from * bytes, bytes, from, rank, iteration)) continue;
        fprintf(stderr, "%s: rank %d, %d bytes: the data received is wrong\n", program, rank,
                bytes);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

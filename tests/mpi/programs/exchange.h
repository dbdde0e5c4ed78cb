/* A plain all-to-all of ints, checked: for programs whose subject is something else. */
#pragma once

#include "check.h"

static inline int exchanged(int from, int to, int position, uint32_t seed) {
    return (int)mix((uint32_t)from, (uint32_t)to, (uint32_t)position, seed);
}

/* Whether `received` is what everybody sent to us; `rank` of `ranks` in the communicator. */
static inline int is_exchanged(const int* received, int rank, int ranks, int count, uint32_t seed) {
    for (int peer = 0; peer < ranks; ++peer)
        for (int i = 0; i < count; ++i)
            if (received[peer * count + i] != exchanged(peer, rank, i, seed)) return 0;
    return 1;
}

static inline void fill_exchange(int* sent, int rank, int ranks, int count, uint32_t seed) {
    for (int peer = 0; peer < ranks; ++peer)
        for (int i = 0; i < count; ++i) sent[peer * count + i] = exchanged(rank, peer, i, seed);
}

/* Every rank of `comm` calls it alike. */
static inline void check_exchange(MPI_Comm comm, int count, uint32_t seed) {
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    size_t bytes = ((size_t)ranks * (size_t)count + 1) * sizeof(int);
    int *sent = malloc(bytes), *received = calloc(1, bytes);
    fill_exchange(sent, rank, ranks, count, seed);
    int code = MPI_Alltoall(sent, count, MPI_INT, received, count, MPI_INT, comm);
    check(code == MPI_SUCCESS, "MPI_Alltoall gave %d", code);
    check(is_exchanged(received, rank, ranks, count, seed), "wrong data");
    free(sent), free(received);
}

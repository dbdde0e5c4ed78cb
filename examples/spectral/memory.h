/* Zeroed memory, or the end of the run. */
#pragma once

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static inline void* allocate(size_t count, size_t size) {
    void* memory = calloc(count, size);
    if (!memory) {
        fprintf(stderr, "spectral: no memory for %zu times %zu bytes\n", count, size);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return memory;
}

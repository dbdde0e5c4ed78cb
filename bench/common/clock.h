/* A clock that only goes forward, for MPI_Wtime() may not be called before MPI_Init. */
#pragma once

#include <time.h>

static inline double monotonic_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

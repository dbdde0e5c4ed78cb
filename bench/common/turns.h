/* How ranks begin timed calls together and end them. */
#pragma once

#include <mpi.h>
#include <sched.h>
#include <time.h>

#include "clock.h"

typedef struct {
    MPI_Comm node;
    /* Seconds that ranks sleep around what is timed; 0 where all of them have a core. Hosts that
     * wait busily keep the cores from others: until the last of 4 ranks on a core is out of a
     * barrier, and until the last gets to the end of what was called before, it takes 3 to 4 time
     * slices of 4 ms. Neither is time of the calls between. */
    double pause;
} Start;

static inline Start make_start(void) {
    const double two_time_slices = 8e-3;
    Start start;
    PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &start.node);
    int ranks;
    PMPI_Comm_size(start.node, &ranks);
    /* Of all ranks together: some hosts bind each to a core of its own. */
    cpu_set_t own, usable;
    if (sched_getaffinity(0, sizeof own, &own) != 0) CPU_ZERO(&own);
    PMPI_Allreduce(&own, &usable, (int)sizeof own, MPI_BYTE, MPI_BOR, start.node);
    int cores = CPU_COUNT(&usable) > 0 ? CPU_COUNT(&usable) : ranks;
    int on_a_core = (ranks + cores - 1) / cores, most;
    PMPI_Allreduce(&on_a_core, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    start.pause = most > 1 ? two_time_slices * most : 0;
    return start;
}

static inline void free_start(Start* start) {
    PMPI_Comm_free(&start->node);
}

static inline int shares_cores(const Start* start) {
    return start->pause > 0;
}

/* A barrier; and where ranks share cores, all of a node then sleep until the same moment. */
static inline void begin_together(const Start* start) {
    const double nanoseconds = 1e-9;
    PMPI_Barrier(MPI_COMM_WORLD);
    if (!shares_cores(start)) return;
    double moment = monotonic_seconds(), latest;
    PMPI_Allreduce(&moment, &latest, 1, MPI_DOUBLE, MPI_MAX, start->node);
    latest += start->pause;
    struct timespec until = {.tv_sec = (time_t)latest};
    until.tv_nsec = (long)((latest - (double)until.tv_sec) / nanoseconds);
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

/* Called when the timed calls have ended: where ranks share cores, leaves them to those that have
 * not ended yet. */
static inline void let_others_end(const Start* start) {
    struct timespec pause = {.tv_sec = (time_t)start->pause};
    pause.tv_nsec = (long)((start->pause - (double)pause.tv_sec) * 1e9);
    if (shares_cores(start)) nanosleep(&pause, NULL);
}

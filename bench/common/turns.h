/* How ranks begin timed calls together and end them. */
#pragma once

#include <mpi.h>
#include <sched.h>
#include <time.h>

typedef struct {
    MPI_Comm node;
    int shares_cores; /* on some node there are more ranks than cores */
} Start;

static inline Start make_start(void) {
    Start start;
    PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &start.node);
    int ranks;
    PMPI_Comm_size(start.node, &ranks);
    cpu_set_t cores;
    int shares = sched_getaffinity(0, sizeof cores, &cores) == 0 && ranks > CPU_COUNT(&cores);
    PMPI_Allreduce(&shares, &start.shares_cores, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return start;
}

static inline void free_start(Start* start) {
    PMPI_Comm_free(&start->node);
}

/* Hosts that wait busily keep the cores from others: with 4 ranks on each, it takes a barrier 12 ms
 * until the last is out of it, and as long until the last gets to the end of what was called
 * before. Neither is time of the calls between. */
static const double longest_leaving = 30e-3;

/* A barrier; and where ranks share cores, all of a node then sleep until the same moment. */
static inline void begin_together(const Start* start) {
    const double nanoseconds = 1e-9;
    PMPI_Barrier(MPI_COMM_WORLD);
    if (!start->shares_cores) return;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double moment = (double)now.tv_sec + nanoseconds * (double)now.tv_nsec, latest;
    PMPI_Allreduce(&moment, &latest, 1, MPI_DOUBLE, MPI_MAX, start->node);
    latest += longest_leaving;
    struct timespec until = {.tv_sec = (time_t)latest};
    until.tv_nsec = (long)((latest - (double)until.tv_sec) / nanoseconds);
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

/* Called when the timed calls have ended: where ranks share cores, leaves them to those that have
 * not ended yet. */
static inline void let_others_end(const Start* start) {
    struct timespec pause = {.tv_nsec = (long)(longest_leaving * 1e9)};
    if (start->shares_cores) nanosleep(&pause, NULL);
}

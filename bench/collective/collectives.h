/* The collectives that are timed. */
#pragma once

#include <string.h>

#include "equal.h"
#include "exchange.h"
#include "uneven.h"

typedef struct {
    const char* name; /* as in algorithms.toml, or of a v- or w-form */
    const char* rows; /* the collective of algorithms.toml whose rows it runs by; NULL: `name` */
    int is_one_way;   /* a rank may be done before others have begun: see Direction */
    int has_root;
    int receives_all; /* a block from each rank, on one rank at least */
    int adds;         /* doubles */
    int is_uneven;    /* its blocks differ in size */
    void (*fill)(const Exchange*, long iteration);
    void (*call)(const Exchange*, const Direction*);
    int (*holds)(const Exchange*, const Direction*, long iteration);
} Collective;

static inline const char* rows_of(const Collective* collective) {
    return collective->rows ? collective->rows : collective->name;
}

/* What its blocks are counted in. */
static inline int bytes_of_unit(const Collective* collective) {
    return collective->adds ? (int)sizeof(double) : 1;
}

/* Of a block, or of the vector or message, where `bytes` were asked for. */
static inline size_t most_bytes(const Collective* collective, int bytes) {
    int unit = bytes_of_unit(collective);
    return collective->is_uneven ? largest_uneven_block(bytes / unit) * (size_t)unit
                                 : (size_t)bytes;
}

static const Collective collectives[] = {
    {.name = "barrier", .fill = fill_nothing, .call = call_barrier, .holds = holds_always},
    {.name = "bcast",
     .is_one_way = 1,
     .has_root = 1,
     .fill = fill_broadcast,
     .call = call_bcast,
     .holds = holds_broadcast},
    {.name = "reduce",
     .is_one_way = 1,
     .has_root = 1,
     .adds = 1,
     .fill = fill_vector,
     .call = call_reduce,
     .holds = holds_sum_at_root},
    {.name = "allreduce",
     .adds = 1,
     .fill = fill_vector,
     .call = call_allreduce,
     .holds = holds_sum_of_all},
    {.name = "reduce-scatter",
     .adds = 1,
     .fill = fill_long_vector,
     .call = call_reduce_scatter,
     .holds = holds_block_of_sum},
    {.name = "reduce-scatterv",
     .rows = "reduce-scatter",
     .adds = 1,
     .is_uneven = 1,
     .fill = fill_uneven_vector,
     .call = call_reduce_scatterv,
     .holds = holds_uneven_block_of_sum},
    {.name = "scan",
     .is_one_way = 1,
     .adds = 1,
     .fill = fill_vector,
     .call = call_scan,
     .holds = holds_sum_up_to_here},
    {.name = "exscan",
     .is_one_way = 1,
     .adds = 1,
     .fill = fill_vector,
     .call = call_exscan,
     .holds = holds_sum_before},
    {.name = "gather",
     .is_one_way = 1,
     .has_root = 1,
     .receives_all = 1,
     .fill = fill_own_block,
     .call = call_gather,
     .holds = holds_gathered_at_root},
    {.name = "gatherv",
     .rows = "gather",
     .is_one_way = 1,
     .has_root = 1,
     .receives_all = 1,
     .is_uneven = 1,
     .fill = fill_own_uneven_block,
     .call = call_gatherv,
     .holds = holds_unevenly_gathered_at_root},
    {.name = "scatter",
     .is_one_way = 1,
     .has_root = 1,
     .fill = fill_blocks_of_root,
     .call = call_scatter,
     .holds = holds_scattered},
    {.name = "scatterv",
     .rows = "scatter",
     .is_one_way = 1,
     .has_root = 1,
     .is_uneven = 1,
     .fill = fill_uneven_blocks_of_root,
     .call = call_scatterv,
     .holds = holds_unevenly_scattered},
    {.name = "allgather",
     .receives_all = 1,
     .fill = fill_own_block,
     .call = call_allgather,
     .holds = holds_gathered},
    {.name = "allgatherv",
     .rows = "allgather",
     .receives_all = 1,
     .is_uneven = 1,
     .fill = fill_own_uneven_block,
     .call = call_allgatherv,
     .holds = holds_unevenly_gathered},
    {.name = "alltoall",
     .receives_all = 1,
     .fill = fill_own_blocks,
     .call = call_alltoall,
     .holds = holds_exchanged},
    {.name = "alltoallv",
     .receives_all = 1,
     .is_uneven = 1,
     .fill = fill_uneven_blocks,
     .call = call_alltoallv,
     .holds = holds_unevenly_exchanged},
    {.name = "alltoallw",
     .rows = "alltoallv",
     .receives_all = 1,
     .is_uneven = 1,
     .fill = fill_uneven_blocks,
     .call = call_alltoallw,
     .holds = holds_unevenly_exchanged},
};

/* NULL if there is none of that name. */
static inline const Collective* collective_named(const char* name) {
    for (size_t i = 0; i < sizeof collectives / sizeof *collectives; ++i)
        if (strcmp(collectives[i].name, name) == 0) return &collectives[i];
    return NULL;
}

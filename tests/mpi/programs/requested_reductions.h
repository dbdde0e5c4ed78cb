/* Reductions for which a program gets a request: what they work on, the blocking call of the same,
 * and whether both give the same bits. */
#pragma once

#include "reduce_cases.h"

enum { collectives = 6, most_ranks = 16 };

static const char* names[collectives] = {"allreduce", "reduce",         "scan",
                                         "exscan",    "reduce-scatter", "reduce-scatter-block"};
static const char* mode = "off";
static int is_kept; /* whether `mode` keeps bits */

struct requested {
    int collective, count, root, in_place, rank, ranks;
    const struct kind* kind;
    MPI_Comm comm;
    unsigned char *send, *receive, *expected;
    int counts[most_ranks];
    MPI_Request request;
};

/* With a type and an operation that may be freed. */
static struct kind kind_of_its_own(void) {
    struct kind own = all_kinds[1];
    MPI_Type_contiguous(4, MPI_UNSIGNED, &own.type);
    MPI_Type_commit(&own.type);
    MPI_Op_create(matrix_operation, 0, &own.operation);
    return own;
}

static int total_of(const struct requested* r) {
    if (r->collective < 4) return r->count;
    int total = 0;
    for (int rank = 0; rank < r->ranks; ++rank) total += r->counts[rank];
    return total;
}

static int receives(const struct requested* r) {
    if (r->collective == 1) return r->rank == r->root;
    return r->collective != 3 || r->rank > 0;
}

static int received_count(const struct requested* r) {
    if (!receives(r)) return 0;
    return r->collective < 4 ? r->count : r->counts[r->rank];
}

/* What the call is passed: a rank that is not the root has nothing in place. */
static int is_other_than_root(const struct requested* r) {
    return r->collective == 1 && r->rank != r->root;
}
static const void* sent_from(const struct requested* r) {
    return r->in_place && !is_other_than_root(r) ? MPI_IN_PLACE : r->send;
}
static void* received_in(const struct requested* r, unsigned char* buffer) {
    return is_other_than_root(r) ? NULL : buffer;
}

static void call_blocking(const struct requested* r) {
    const struct kind* k = r->kind;
    const void* from = sent_from(r);
    void* to = received_in(r, r->expected);
    switch (r->collective) {
        case 0:
            MPI_Allreduce(from, to, r->count, k->type, k->operation, r->comm);
            break;
        case 1:
            MPI_Reduce(from, to, r->count, k->type, k->operation, r->root, r->comm);
            break;
        case 2:
            MPI_Scan(from, to, r->count, k->type, k->operation, r->comm);
            break;
        case 3:
            MPI_Exscan(from, to, r->count, k->type, k->operation, r->comm);
            break;
        case 4:
            MPI_Reduce_scatter(from, to, r->counts, k->type, k->operation, r->comm);
            break;
        default:
            MPI_Reduce_scatter_block(from, to, r->count, k->type, k->operation, r->comm);
    }
}

/* Without numbers yet. */
static void prepare(struct requested* r, int collective, const struct kind* kind, int count,
                    int in_place, MPI_Comm comm) {
    memset(r, 0, sizeof *r);
    r->collective = collective, r->kind = kind, r->count = count, r->comm = comm;
    MPI_Comm_rank(comm, &r->rank);
    MPI_Comm_size(comm, &r->ranks);
    r->in_place = in_place;
    r->root = count % r->ranks;
    r->request = MPI_REQUEST_NULL;
    for (int rank = 0; rank < r->ranks; ++rank) {
        r->counts[rank] = collective == 4 ? count * (rank % 3) : count;
    }
    size_t bytes = (size_t)total_of(r) * kind->bytes;
    r->send = calloc(bytes + 1, 1);
    r->receive = calloc(bytes + 1, 1);
    r->expected = calloc(bytes + 1, 1);
}

/* Other numbers for each `round`, and what the blocking call gives of them. */
static void fill(struct requested* r, int round) {
    size_t bytes = (size_t)total_of(r) * r->kind->bytes;
    for (int i = 0; i < total_of(r); ++i) {
        r->kind->fill(r->send + i * r->kind->bytes, r->rank, i + 1000 * round);
    }
    if (r->in_place) memcpy(r->receive, r->send, bytes);
    if (r->in_place) memcpy(r->expected, r->send, bytes);
    call_blocking(r);
}

static void compare(const struct requested* r) {
    in_case("%s of %d x %s on %d ranks%s, mode %s", names[r->collective], r->count, r->kind->name,
            r->ranks, r->in_place ? " in place" : "", mode);
    for (int i = 0; i < received_count(r); ++i) {
        size_t at = (size_t)i * r->kind->bytes;
        if (!is_kept && !r->kind->is_associative) break;
        if (!check(same_element(r->kind, r->receive + at, r->expected + at),
                   "element %d has other bits than by the blocking call", i))
            break;
    }
}

static void drop(struct requested* r) {
    check(r->request == MPI_REQUEST_NULL, "the request is still there");
    free(r->send);
    free(r->receive);
    free(r->expected);
}

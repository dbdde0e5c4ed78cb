/* Calls that come again with the same arguments, and something else in their arrays: counts, zero
 * among them, displacements and types in the same place, or the arrays elsewhere. What arrives is
 * compared with what must, gaps too.
 *
 * usage: known_arrays CALLS [known]
 * known: calls whose arrays alone have changed must not be handled anew, for which Tasuki takes
 * memory. */
#define _GNU_SOURCE
#include <link.h>

#include "tasuki_control.h"

enum { MOST_RANKS = 16, ROOM = 4, MOST = MOST_RANKS * ROOM, ARRAYS = 2, KINDS = 6 };

/* Of one side of a call. Two of each, because a program may have them elsewhere the next time. */
struct layout {
    int counts[MOST_RANKS], places[MOST_RANKS];
    MPI_Datatype types[MOST_RANKS];
};
static struct layout sent_in[ARRAYS], received_in[ARRAYS];
static int outgoing[MOST], incoming[MOST], expected[MOST];
static MPI_Datatype own_type;

/* How a call is made, which all ranks know. */
struct how {
    int call, root, arrays, in_place;
    int steady; /* blocks have something, which lie in the order of ranks */
};

#ifndef __SANITIZE_ADDRESS__
static uintptr_t library_begin, library_end;
static long taken;
void* __libc_malloc(size_t bytes);

void* malloc(size_t bytes) {
    uintptr_t caller = (uintptr_t)__builtin_return_address(0);
    if (caller >= library_begin && caller < library_end) ++taken;
    return __libc_malloc(bytes);
}

static int find_library(struct dl_phdr_info* info, size_t size, void* unused) {
    (void)size, (void)unused;
    if (strstr(info->dlpi_name, "/libtasuki-") == NULL) return 0;
    library_begin = (uintptr_t)info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; ++i)
        if (info->dlpi_phdr[i].p_type == PT_LOAD)
            library_end = library_begin + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
    return 1;
}
#else
static long taken;
static int find_library(struct dl_phdr_info* info, size_t size, void* unused) {
    (void)info, (void)size, (void)unused;
    return 1;
}
#endif

static int value(int from, int to, int i, const struct how* how) {
    return 1000000 * (from + 1) + 10000 * to + 10 * how->call + i;
}

/* Ints from one rank to another. Steady ones are 2, but of one rank 1. */
static int count_of(int from, int to, const struct how* how) {
    if (how->steady) return 1 + ((from + to + how->call) % check_ranks != 0);
    return (from + 3 * to + how->call) % ROOM;
}

/* Where the block of a rank lies; `before`: ints of the blocks of the ranks before. */
static int place_of(int rank, int before, const struct how* how) {
    return how->steady ? before : (rank + how->call) % check_ranks * ROOM;
}

static MPI_Datatype type_of(int from, int to, const struct how* how) {
    MPI_Datatype types[] = {MPI_INT, MPI_FLOAT, own_type};
    return types[how->steady ? (from + to + how->call) % 2 : (from + to + how->call) % 3];
}

/* The side of a rank that sends to all, or gets from all. */
static struct layout* lay_out(struct layout* layouts, int rank, int sends, const struct how* how) {
    struct layout* layout = &layouts[how->arrays];
    for (int other = 0, before = 0; other < check_ranks; ++other) {
        int from = sends ? rank : other, to = sends ? other : rank;
        layout->counts[other] = count_of(from, to, how);
        layout->places[other] = place_of(other, before, how);
        layout->types[other] = type_of(from, to, how);
        before += layout->counts[other];
    }
    return layout;
}

static void fill_all(int* values, const struct layout* layout, int rank, int sends,
                     const struct how* how) {
    for (int other = 0; other < check_ranks; ++other)
        for (int i = 0; i < layout->counts[other]; ++i)
            values[layout->places[other] + i] =
                sends ? value(rank, other, i, how) : value(other, rank, i, how);
}

static void fill_own(int from, int to, const struct how* how) {
    for (int i = 0; i < count_of(from, to, how); ++i) outgoing[i] = value(from, to, i, how);
}

/* What counts at the root only may be anything elsewhere. */
static MPI_Datatype no_type(void) {
    MPI_Datatype type;
    memset(&type, 0x5a, sizeof type);
    return type;
}

static int* nowhere(void) {
    return (int*)(intptr_t)0x5a5a;
}

static void expect(const char* name, const struct how* how) {
    for (int at = 0; at < MOST; ++at)
        check(incoming[at] == expected[at], "%s %d: %d at %d, not %d", name, how->call,
              incoming[at], at, expected[at]);
}

static void call_gatherv(const struct how* how) {
    struct layout* all = lay_out(received_in, how->root, 0, how);
    const void* from = outgoing;
    fill_own(check_rank, how->root, how);
    if (check_rank == how->root) {
        fill_all(expected, all, how->root, 0, how);
        if (how->in_place) {
            memcpy(incoming, expected, sizeof incoming);
            for (int rank = 0; rank < check_ranks; ++rank)
                for (int i = 0; i < all->counts[rank] && rank != how->root; ++i)
                    incoming[all->places[rank] + i] = -1;
            from = MPI_IN_PLACE;
        }
    }
    int is_root = check_rank == how->root;
    MPI_Gatherv(from, count_of(check_rank, how->root, how),
                from == MPI_IN_PLACE ? no_type() : MPI_INT, incoming,
                is_root ? all->counts : nowhere(), is_root ? all->places : nowhere(),
                is_root ? MPI_INT : no_type(), how->root, MPI_COMM_WORLD);
    expect("gatherv", how);
}

static void call_scatterv(const struct how* how) {
    struct layout* all = lay_out(sent_in, how->root, 1, how);
    int own = count_of(how->root, check_rank, how);
    int in_place = how->in_place && check_rank == how->root;
    if (check_rank == how->root) fill_all(outgoing, all, how->root, 1, how);
    for (int i = 0; i < own && !in_place; ++i) expected[i] = value(how->root, check_rank, i, how);
    int is_root = check_rank == how->root;
    MPI_Scatterv(outgoing, is_root ? all->counts : nowhere(), is_root ? all->places : nowhere(),
                 is_root ? MPI_INT : no_type(), in_place ? MPI_IN_PLACE : incoming, own,
                 in_place ? no_type() : MPI_INT, how->root, MPI_COMM_WORLD);
    expect("scatterv", how);
}

/* Each rank's block is what it would send to rank 0. */
static void call_allgatherv(const struct how* how) {
    struct layout* all = lay_out(received_in, 0, 0, how);
    int own = count_of(check_rank, 0, how);
    fill_all(expected, all, 0, 0, how);
    fill_own(check_rank, 0, how);
    if (how->in_place) memcpy(incoming + all->places[check_rank], outgoing, own * sizeof *incoming);
    MPI_Allgatherv(how->in_place ? MPI_IN_PLACE : outgoing, own,
                   how->in_place ? no_type() : MPI_INT, incoming, all->counts, all->places, MPI_INT,
                   MPI_COMM_WORLD);
    expect("allgatherv", how);
}

static void call_alltoallv(const struct how* how) {
    struct layout* to = lay_out(sent_in, check_rank, 1, how);
    struct layout* from = lay_out(received_in, check_rank, 0, how);
    fill_all(outgoing, to, check_rank, 1, how);
    fill_all(expected, from, check_rank, 0, how);
    MPI_Alltoallv(outgoing, to->counts, to->places, MPI_INT, incoming, from->counts, from->places,
                  MPI_INT, MPI_COMM_WORLD);
    expect("alltoallv", how);
}

static void call_alltoallw(const struct how* how) {
    struct layout* to = lay_out(sent_in, check_rank, 1, how);
    struct layout* from = lay_out(received_in, check_rank, 0, how);
    fill_all(outgoing, to, check_rank, 1, how);
    fill_all(expected, from, check_rank, 0, how);
    for (int rank = 0; rank < check_ranks; ++rank) {
        to->places[rank] *= (int)sizeof(int);
        from->places[rank] *= (int)sizeof(int);
    }
    MPI_Alltoallw(outgoing, to->counts, to->places, to->types, incoming, from->counts, from->places,
                  from->types, MPI_COMM_WORLD);
    expect("alltoallw", how);
}

/* All of them equal now and then, but for steady ones. */
static void call_reduce_scatter(const struct how* how) {
    int* counts = received_in[how->arrays].counts;
    int before = 0, all = 0;
    for (int rank = 0; rank < check_ranks; ++rank) {
        counts[rank] = !how->steady && how->call % 3 == 0 ? 1 : count_of(rank, 0, how);
        if (rank < check_rank) before += counts[rank];
        all += counts[rank];
    }
    int sum = check_ranks * (check_ranks - 1) / 2;
    for (int i = 0; i < all; ++i) outgoing[i] = check_rank + how->call * i;
    for (int i = 0; i < counts[check_rank]; ++i)
        expected[i] = sum + check_ranks * how->call * (before + i);
    if (how->in_place) {
        memcpy(incoming, outgoing, all * sizeof *incoming);
        for (int i = counts[check_rank]; i < all; ++i) expected[i] = incoming[i];
    }
    MPI_Reduce_scatter(how->in_place ? MPI_IN_PLACE : outgoing, incoming, counts, MPI_INT, MPI_SUM,
                       MPI_COMM_WORLD);
    /* Behind the block hosts may leave what they like. */
    if (how->in_place)
        memcpy(expected + counts[check_rank], incoming + counts[check_rank],
               (MOST - counts[check_rank]) * sizeof *incoming);
    expect("reduce-scatter", how);
}

static void (*const calls_of[KINDS])(const struct how*) = {
    call_gatherv,   call_scatterv,  call_allgatherv,
    call_alltoallv, call_alltoallw, call_reduce_scatter,
};

static void call(int kind, const struct how* how) {
    for (int at = 0; at < MOST; ++at) incoming[at] = expected[at] = -1 - at;
    calls_of[kind](how);
}

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    const int calls = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    check_begin();
    has_tasuki();
    dl_iterate_phdr(find_library, NULL);
    MPI_Type_contiguous(1, MPI_INT, &own_type);
    MPI_Type_commit(&own_type);
    for (int i = 0; i < calls; ++i) {
        struct how how = {i, i / 8 % check_ranks, i / 20 % ARRAYS, i % 11 == 10, i % 5 > 1};
        for (int kind = 0; kind < KINDS; ++kind) call(kind, &how);
    }
    for (int kind = 0; kind < KINDS; ++kind) {
        long before = 0;
        for (int i = 0; i < 2 * calls; ++i) {
            struct how how = {i, 0, i % ARRAYS, 0, 1};
            if (i == calls) before = taken;
            call(kind, &how);
        }
        check(argc < 3 || taken - before < calls, "kind %d: memory was taken %ld times in %d calls",
              kind, taken - before, calls);
    }
    MPI_Type_free(&own_type);
    int code = check_end();
    MPI_Finalize();
    return code;
}

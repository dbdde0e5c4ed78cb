/* Calls that move data, for collectives.c. */
#include <time.h>
#include <unistd.h>

#include "collectives.h"

static const struct form* any_form(struct draws* own) {
    return &form_of[draw(own, forms)];
}

/* Seconds, by a clock that the ranks of one machine share. */
static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Nobody leaves before the last one has come; one of the ranks comes later than the others. */
static void barrier(const struct place* place, struct draws* common, struct draws* own) {
    (void)own;
    if (draw(common, place->ranks) == place->rank) usleep(200);
    double times[2] = {now(), 0}, latest[2];
    check(MPI_Barrier(place->comm) == MPI_SUCCESS, "MPI_Barrier failed");
    times[1] = -now();
    PMPI_Allreduce(times, latest, 2, MPI_DOUBLE, MPI_MAX, place->comm);
    check(latest[0] <= -latest[1], "a rank left %g s before the last one came",
          latest[0] + latest[1]);
}

/* All that stands at `address`, to be seen from MPI_BOTTOM. */
static MPI_Datatype from_bottom(void* address, int count, MPI_Datatype type) {
    MPI_Aint place;
    MPI_Datatype made;
    MPI_Get_address(address, &place);
    MPI_Type_create_hindexed(1, &count, &place, type, &made);
    MPI_Type_commit(&made);
    return made;
}

static void bcast(const struct place* place, struct draws* common, struct draws* own) {
    int pairs = any_pairs(common), root = draw(common, place->ranks);
    const struct form* form = any_form(own);
    uint32_t seed = own->state;
    char *ours = filled(pairs, seed), *hosts = filled(pairs, seed);
    int count = pairs * form->per_pair;
    FORM_OF(PMPI_Bcast)(hosts, count, form->type, root, place->comm);
    /* On all ranks, because Open MPI cuts its messages between elements. */
    if (draw(common, 4) == 0) {
        MPI_Datatype whole = from_bottom(ours, count, form->type);
        FORM_OF(MPI_Bcast)(MPI_BOTTOM, 1, whole, root, place->comm);
        MPI_Type_free(&whole);
    } else {
        FORM_OF(MPI_Bcast)(ours, count, form->type, root, place->comm);
    }
    same(ours, hosts, pairs, "buffer");
}

static void allgather(const struct place* place, struct draws* common, struct draws* own) {
    int pairs = any_pairs(common), in_place = draw(common, 4) == 0, all = pairs * place->ranks;
    /* Intel MPI 2021.18 writes beyond the output where it receives by another type than it sends.
     */
    const struct form *from = any_form(common), *to = from;
    uint32_t seed = own->state;
    char *ours = filled(all, seed), *hosts = filled(all, seed);
    char *send = filled(pairs, seed + 1), *before = filled(pairs, seed + 1);
    int send_count = pairs * from->per_pair, receive_count = pairs * to->per_pair;
    FORM_OF(PMPI_Allgather)(in_place ? MPI_IN_PLACE : send, send_count, from->type, hosts,
                            receive_count, to->type, place->comm);
    FORM_OF(MPI_Allgather)(in_place ? MPI_IN_PLACE : send, send_count, from->type, ours,
                           receive_count, to->type, place->comm);
    same(ours, hosts, all, "output"), same(send, before, pairs, "input");
}

static void gather(const struct place* place, struct draws* common, struct draws* own) {
    int pairs = any_pairs(common), root = draw(common, place->ranks), all = pairs * place->ranks;
    int in_place = draw(common, 4) == 0 && place->rank == root;
    const struct form *from = any_form(own), *to = any_form(own);
    uint32_t seed = own->state;
    char *ours = filled(all, seed), *hosts = filled(all, seed), *send = filled(pairs, seed + 1);
    char* before = filled(pairs, seed + 1);
    int send_count = pairs * from->per_pair, receive_count = pairs * to->per_pair;
    if (place->rank != root) receive_count = -7; /* counts at the root only */
    FORM_OF(PMPI_Gather)(in_place ? MPI_IN_PLACE : send, send_count, from->type, hosts,
                         receive_count, to->type, root, place->comm);
    FORM_OF(MPI_Gather)(in_place ? MPI_IN_PLACE : send, send_count, from->type, ours, receive_count,
                        to->type, root, place->comm);
    same(ours, hosts, all, "output"), same(send, before, pairs, "input");
}

static void scatter(const struct place* place, struct draws* common, struct draws* own) {
    int pairs = any_pairs(common), root = draw(common, place->ranks), all = pairs * place->ranks;
    int in_place = draw(common, 4) == 0 && place->rank == root;
    const struct form *from = any_form(own), *to = any_form(own);
    uint32_t seed = own->state;
    char *ours = filled(pairs, seed), *hosts = filled(pairs, seed), *send = filled(all, seed + 1);
    char* before = filled(all, seed + 1);
    int send_count = pairs * from->per_pair, receive_count = pairs * to->per_pair;
    if (place->rank != root) send_count = -7; /* counts at the root only */
    FORM_OF(PMPI_Scatter)(send, send_count, from->type, in_place ? MPI_IN_PLACE : hosts,
                          receive_count, to->type, root, place->comm);
    FORM_OF(MPI_Scatter)(send, send_count, from->type, in_place ? MPI_IN_PLACE : ours,
                         receive_count, to->type, root, place->comm);
    same(ours, hosts, pairs, "output"), same(send, before, all, "input");
}

static void alltoall(const struct place* place, struct draws* common, struct draws* own) {
    int pairs = any_pairs(common) / place->ranks, in_place = draw(common, 4) == 0;
    int all = pairs * place->ranks;
    const struct form* form = any_form(common);
    uint32_t seed = own->state;
    char *ours = filled(all, seed), *hosts = filled(all, seed);
    char *send = filled(all, seed + 1), *before = filled(all, seed + 1);
    const void* given = in_place ? MPI_IN_PLACE : send;
    int count = pairs * form->per_pair;
    FORM_OF(PMPI_Alltoall)(given, count, form->type, hosts, count, form->type, place->comm);
    FORM_OF(MPI_Alltoall)(given, count, form->type, ours, count, form->type, place->comm);
    same(ours, hosts, all, "output"), same(send, before, all, "input");
}

/* Blocks of one rank in a v-form: elements, and places in extents of the type or in bytes. */
struct blocks {
    number counts[64];
    distance places[64], bytes[64];
    MPI_Datatype types[64];
    int room; /* pairs that hold all of them */
};

/* `pairs` of each block; places in another order than that of ranks, with gaps, or without. */
static struct blocks place_blocks(const int* pairs, int ranks, const struct form* form,
                                  struct draws* own) {
    struct blocks blocks = {0};
    int first = draw(own, ranks), gap = draw(own, 2) * draw(own, 3), in_order = draw(own, 2);
    for (int i = 0; i < ranks; ++i) {
        int rank = in_order ? i : (first + i) % ranks;
        blocks.counts[rank] = pairs[rank] * form->per_pair;
        blocks.places[rank] = blocks.room * form->per_pair;
        blocks.bytes[rank] = blocks.room * form->extent;
        blocks.types[rank] = form->type;
        blocks.room += pairs[rank] + gap;
    }
    return blocks;
}

static void draw_pairs(struct draws* common, int* pairs, int count) {
    int many = draw(common, 8) == 0;
    for (int i = 0; i < count; ++i) pairs[i] = many ? any_pairs(common) : draw(common, 12);
}

static void allgatherv(const struct place* place, struct draws* common, struct draws* own) {
    int pairs[64], in_place = draw(common, 4) == 0;
    draw_pairs(common, pairs, place->ranks);
    /* Open MPI 5.0 chooses its algorithm by the size of each rank's own type, and hangs where ranks
     * have different ones. */
    const struct form *from = any_form(common), *to = from;
    int mine = pairs[place->rank];
    struct blocks all = place_blocks(pairs, place->ranks, to, own);
    uint32_t seed = own->state;
    char *ours = filled(all.room, seed), *hosts = filled(all.room, seed);
    char *send = filled(mine, seed + 1), *before = filled(mine, seed + 1);
    const void* given = in_place ? MPI_IN_PLACE : send;
    FORM_OF(PMPI_Allgatherv)(given, mine * from->per_pair, from->type, hosts, all.counts,
                             all.places, to->type, place->comm);
    FORM_OF(MPI_Allgatherv)(given, mine * from->per_pair, from->type, ours, all.counts, all.places,
                            to->type, place->comm);
    same(ours, hosts, all.room, "output"), same(send, before, mine, "input");
}

static void gatherv(const struct place* place, struct draws* common, struct draws* own) {
    int pairs[64], root = draw(common, place->ranks);
    int in_place = draw(common, 4) == 0 && place->rank == root;
    draw_pairs(common, pairs, place->ranks);
    const struct form *from = any_form(own), *to = any_form(own);
    int mine = pairs[place->rank], is_root = place->rank == root;
    struct blocks all = place_blocks(pairs, place->ranks, to, own);
    uint32_t seed = own->state;
    char *ours = filled(all.room, seed), *hosts = filled(all.room, seed);
    char *send = filled(mine, seed + 1), *before = filled(mine, seed + 1);
    const void* given = in_place ? MPI_IN_PLACE : send;
    const number* counts = is_root ? all.counts : NULL;
    const distance* places = is_root ? all.places : NULL;
    FORM_OF(PMPI_Gatherv)(given, mine * from->per_pair, from->type, hosts, counts, places, to->type,
                          root, place->comm);
    FORM_OF(MPI_Gatherv)(given, mine * from->per_pair, from->type, ours, counts, places, to->type,
                         root, place->comm);
    same(ours, hosts, all.room, "output"), same(send, before, mine, "input");
}

static void scatterv(const struct place* place, struct draws* common, struct draws* own) {
    int pairs[64], root = draw(common, place->ranks);
    int in_place = draw(common, 4) == 0 && place->rank == root;
    draw_pairs(common, pairs, place->ranks);
    const struct form *from = any_form(own), *to = any_form(own);
    int mine = pairs[place->rank], is_root = place->rank == root;
    struct blocks all = place_blocks(pairs, place->ranks, from, own);
    uint32_t seed = own->state;
    char *ours = filled(mine, seed), *hosts = filled(mine, seed);
    char *send = filled(all.room, seed + 1), *before = filled(all.room, seed + 1);
    const number* counts = is_root ? all.counts : NULL;
    const distance* places = is_root ? all.places : NULL;
    FORM_OF(PMPI_Scatterv)(send, counts, places, from->type, in_place ? MPI_IN_PLACE : hosts,
                           mine * to->per_pair, to->type, root, place->comm);
    FORM_OF(MPI_Scatterv)(send, counts, places, from->type, in_place ? MPI_IN_PLACE : ours,
                          mine * to->per_pair, to->type, root, place->comm);
    same(ours, hosts, mine, "output"), same(send, before, all.room, "input");
}

/* What every rank sends to every other: sent[to] and received[from] of this one. In place what two
 * ranks send each other is equally large. */
static void draw_exchange(const struct place* place, struct draws* common, int symmetric, int* sent,
                          int* received) {
    int pairs[64 * 64], ranks = place->ranks;
    draw_pairs(common, pairs, ranks * ranks);
    for (int peer = 0; peer < ranks; ++peer) {
        int low = peer < place->rank ? peer : place->rank, high = peer + place->rank - low;
        sent[peer] = pairs[symmetric ? low * ranks + high : place->rank * ranks + peer];
        received[peer] = pairs[symmetric ? low * ranks + high : peer * ranks + place->rank];
    }
}

static void alltoallv(const struct place* place, struct draws* common, struct draws* own) {
    int sent[64], received[64], in_place = draw(common, 4) == 0;
    draw_exchange(place, common, in_place, sent, received);
    const struct form *from = any_form(own), *to = any_form(own);
    struct blocks out = place_blocks(sent, place->ranks, from, own);
    struct blocks in = place_blocks(received, place->ranks, to, own);
    uint32_t seed = own->state;
    char *ours = filled(in.room, seed), *hosts = filled(in.room, seed);
    char *send = filled(out.room, seed + 1), *before = filled(out.room, seed + 1);
    const void* given = in_place ? MPI_IN_PLACE : send;
    FORM_OF(PMPI_Alltoallv)(given, out.counts, out.places, from->type, hosts, in.counts, in.places,
                            to->type, place->comm);
    FORM_OF(MPI_Alltoallv)(given, out.counts, out.places, from->type, ours, in.counts, in.places,
                           to->type, place->comm);
    same(ours, hosts, in.room, "output"), same(send, before, out.room, "input");
}

/* Each block in a form of its own. The room of the widest is enough for any. */
static struct blocks mix_forms(struct blocks blocks, const int* pairs, int ranks,
                               struct draws* own) {
    for (int rank = 0; rank < ranks; ++rank) {
        const struct form* form = any_form(own);
        blocks.counts[rank] = pairs[rank] * form->per_pair;
        blocks.types[rank] = form->type;
    }
    return blocks;
}

static void alltoallw(const struct place* place, struct draws* common, struct draws* own) {
    int sent[64], received[64], ranks = place->ranks, in_place = draw(common, 4) == 0;
    draw_exchange(place, common, in_place, sent, received);
    const struct form* widest = &form_of[2];
    struct blocks out = mix_forms(place_blocks(sent, ranks, widest, own), sent, ranks, own);
    struct blocks in = mix_forms(place_blocks(received, ranks, widest, own), received, ranks, own);
    uint32_t seed = own->state;
    char *ours = filled(in.room, seed), *hosts = filled(in.room, seed);
    char *send = filled(out.room, seed + 1), *before = filled(out.room, seed + 1);
    const void* given = in_place ? MPI_IN_PLACE : send;
    FORM_OF(PMPI_Alltoallw)(given, out.counts, out.bytes, out.types, hosts, in.counts, in.bytes,
                            in.types, place->comm);
    FORM_OF(MPI_Alltoallw)(given, out.counts, out.bytes, out.types, ours, in.counts, in.bytes,
                           in.types, place->comm);
    same(ours, hosts, in.room, "output"), same(send, before, out.room, "input");
}

const struct collective moving[] = {
    {"barrier", "MPI_Barrier", barrier},       {"bcast", "MPI_Bcast", bcast},
    {"allgather", "MPI_Allgather", allgather}, {"allgather", "MPI_Allgatherv", allgatherv},
    {"gather", "MPI_Gather", gather},          {"gather", "MPI_Gatherv", gatherv},
    {"scatter", "MPI_Scatter", scatter},       {"scatter", "MPI_Scatterv", scatterv},
    {"alltoall", "MPI_Alltoall", alltoall},    {"alltoallv", "MPI_Alltoallv", alltoallv},
    {"alltoallv", "MPI_Alltoallw", alltoallw}, {NULL, NULL, NULL},
};

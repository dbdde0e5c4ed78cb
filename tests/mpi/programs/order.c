/* Sums whose bits hang on their order, and some whose do not, each at a line of its own that the
 * test knows by its mark. */
#include <complex.h>

#include "check.h"

/* Composes maps x -> a x + b: associative but for rounding, and does not commute. */
static void compose(void* in, void* inout, int* count, MPI_Datatype* type) {
    double *left = in, *right = inout;
    (void)type;
    for (int i = 0; i < *count; ++i, left += 2, right += 2) {
        right[1] += left[1] * right[0];
        right[0] *= left[0];
    }
}

static int shows;

/* Of every other number the left one. */
static void keep_left(void* in, void* inout, int* count, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *count; ++i) ((double*)inout)[4 * i] = ((double*)in)[4 * i];
}

enum { most = 300000 };
static double mine[most], sums[most], again[most];

/* 1 on the first rank, -1 on the last, else 2^-53: one of those is lost beside 1, two are not. */
static void fill(int count) {
    for (int i = 0; i < count; ++i) {
        mine[i] = 0x1p-53;
        if (check_rank == 0) mine[i] = 1;
        if (check_rank == check_ranks - 1) mine[i] = -1;
    }
}

/* Of every result, what a run beside another is compared by. */
static void show(const char* name, const void* result, size_t bytes) {
    uint32_t digest = 0;
    for (size_t at = 0; at < bytes; ++at) {
        digest = mix(digest, ((const unsigned char*)result)[at], 1, 2);
    }
    uint32_t all[64];
    MPI_Gather(&digest, 1, MPI_UINT32_T, all, 1, MPI_UINT32_T, 0, MPI_COMM_WORLD);
    if (!shows || check_rank != 0) return;
    for (int rank = 0; rank < check_ranks; ++rank)
        printf("sums %s %d %08x\n", name, rank, all[rank]);
}

static void floating(MPI_Comm comm) {
    for (int count = 1; count <= most; count = count * 50 + 1) {
        fill(count);
        MPI_Allreduce(mine, sums, count, MPI_DOUBLE, MPI_SUM, comm); /* MARK allreduce */
        show("allreduce", sums, (size_t)count * sizeof *sums);
        memcpy(again, mine, sizeof mine);
        MPI_Allreduce(MPI_IN_PLACE, again, count, MPI_DOUBLE, MPI_SUM, comm); /* MARK in place */
        show("in place", again, (size_t)count * sizeof *again);
    }
    fill(100);
    MPI_Reduce(mine, sums, 100, MPI_DOUBLE, MPI_SUM, check_ranks - 1, comm); /* MARK reduce */
    if (check_rank == check_ranks - 1)
        show("reduce", sums, 800);
    else
        show("reduce", "", 1);
    MPI_Scan(mine, sums, 100, MPI_DOUBLE, MPI_SUM, comm); /* MARK scan */
    show("scan", sums, 800);
    MPI_Exscan(mine, sums, 100, MPI_DOUBLE, MPI_SUM, comm); /* MARK exscan */
    show("exscan", sums, 800);
    int counts[64];
    for (int rank = 0; rank < check_ranks; ++rank) counts[rank] = rank;
    MPI_Reduce_scatter(mine, sums, counts, MPI_DOUBLE, MPI_SUM, comm); /* MARK scatter */
    show("reduce-scatter", sums, (size_t)check_rank * sizeof *sums);
    MPI_Reduce_scatter_block(mine, sums, 3, MPI_DOUBLE, MPI_SUM, comm); /* MARK block */
    show("block", sums, 3 * sizeof *sums);
    double complex number = mine[0] + 2 * I, total;
    MPI_Allreduce(&number, &total, 1, MPI_C_DOUBLE_COMPLEX, MPI_SUM, comm); /* MARK complex */
    show("complex", &total, sizeof total);
}

static void own(MPI_Comm comm) {
    MPI_Op operation;
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
    MPI_Type_commit(&pair);
    MPI_Op_create(compose, 0, &operation);
    double map[2] = {1 + check_rank / 3.0, 0.1 * (check_rank + 1)}, composed[2];
    MPI_Allreduce(map, composed, 1, pair, operation, comm); /* MARK own */
    show("own", composed, sizeof composed);
    MPI_Op_free(&operation);
    MPI_Type_free(&pair);
}

/* Elements with gaps are left to the host, and not checked. */
static void with_gaps(MPI_Comm comm) {
    MPI_Op operation;
    MPI_Datatype every_other;
    double from[4] = {check_rank, 0, check_rank, 0}, to[4] = {0};
    MPI_Type_vector(2, 1, 2, MPI_DOUBLE, &every_other);
    MPI_Type_commit(&every_other);
    MPI_Op_create(keep_left, 0, &operation);
    MPI_Allreduce(from, to, 1, every_other, operation, comm); /* MARK gaps */
    check(to[0] == 0, "the left one is %g", to[0]);
    MPI_Op_free(&operation);
    MPI_Type_free(&every_other);
}

static void independent(MPI_Comm comm) {
    int numbers[2] = {check_rank, 3}, results[2];
    double power = 1 << check_rank, result;
    MPI_Allreduce(numbers, results, 2, MPI_INT, MPI_SUM, comm);
    MPI_Allreduce(&power, &result, 1, MPI_DOUBLE, MPI_MAX, comm);
    for (int time = 0; time < 3; ++time) {
        MPI_Allreduce(&power, &result, 1, MPI_DOUBLE, MPI_SUM, comm); /* MARK powers */
        check(result == (1 << check_ranks) - 1, "%g", result);
    }
}

int main(int count, char** arguments) {
    MPI_Init(&count, &arguments);
    check_begin();
    shows = count > 1;
    MPI_Comm world;
    MPI_Comm_dup(MPI_COMM_WORLD, &world);
    floating(world);
    own(world);
    with_gaps(world);
    independent(world);
    MPI_Comm_free(&world);
    int code = check_end();
    MPI_Finalize();
    return code;
}

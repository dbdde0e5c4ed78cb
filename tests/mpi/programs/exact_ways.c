/* Sums in the mode "exact", many times over, so that every way to them is learnt: each answer is
 * known, because the numbers of the first and the last rank cancel. Rank 0 writes what ran. */
#include "tasuki_control.h"

/* By blocks the longest takes two passes of 512 KiB, the second of blocks that differ in size. */
enum { most = 70001, sizes = 3, most_names = 256 };
static const int counts[sizes] = {3, 700, most};
static const int calls[sizes] = {250, 250, 60};
static const double large = 0x1p70, small = 0x1p-30;
static double mine[most], sums[most];
static char names[most_names][64];
static int seen;

static double term(int rank, int i) {
    if (rank == 0) return large;
    return rank == check_ranks - 1 ? -large : (i % 1000 + rank) * small;
}

/* Of the first `ranks` ranks: everything below the largest vanishes until that is taken away. */
static double sum_of(int ranks, int i) {
    if (ranks < check_ranks) return large;
    double sum = 0;
    for (int rank = 1; rank < ranks - 1; ++rank) sum += term(rank, i);
    return sum;
}

static void note(const char* collective) {
    check_ran_exactly(collective, check_ranks);
    const char* ran = last_algorithm_of(collective);
    for (int i = 0; i < seen; ++i)
        if (strcmp(names[i], ran) == 0) return;
    if (seen < most_names) snprintf(names[seen++], sizeof *names, "%s", ran);
}

static void expect(const char* collective, int ranks, int first, int count) {
    note(collective);
    for (int i = 0; ranks > 0 && i < count; ++i)
        if (!check(sums[i] == sum_of(ranks, first + i), "%s: element %d of %d is %g", collective, i,
                   count, sums[i]))
            return;
}

static void all_of(int count) {
    int block = count / check_ranks, root = check_ranks - 1;
    in_case("%d elements", count);
    MPI_Allreduce(mine, sums, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    expect("allreduce", check_ranks, 0, count);
    MPI_Reduce(mine, sums, count, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
    expect("reduce", check_rank == root ? check_ranks : 0, 0, count);
    MPI_Scan(mine, sums, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    expect("scan", check_rank + 1, 0, count);
    MPI_Exscan(mine, sums, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    expect("exscan", check_rank, 0, count);
    MPI_Reduce_scatter_block(mine, sums, block, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    expect("reduce-scatter", check_ranks, check_rank * block, block);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    check_begin();
    for (int i = 0; i < most; ++i) mine[i] = term(check_rank, i);
    for (int size = 0; size < sizes; ++size)
        for (int call = 0; call < calls[size]; ++call) all_of(counts[size]);
    for (int i = 0; check_rank == 0 && i < seen; ++i) printf("ran %s\n", names[i]);
    int failed = check_end();
    MPI_Finalize();
    return failed;
}

/* Reductions of vectors that go through in several passes (interpose/vector_blocks.hpp) where a
 * rank gathers the operands of all, the last of which is cut unevenly or leaves ranks without
 * elements; what ran is for the environment to say. Sums are exact, so that every element is known.
 */
#include "tasuki_control.h"

enum { period = 61 };

static double* mine;
static double* sums;

static double term(int rank, int i) {
    return (rank + 1.0) * (double)(1 + i % period);
}

static void fill(double* vector, int count) {
    for (int i = 0; i < count; ++i) vector[i] = term(check_rank, i);
}

static void expect(const char* call, int first, int count) {
    const double weight = check_ranks * (check_ranks + 1.0) / 2;
    for (int i = 0; i < count; ++i)
        if (!check(sums[i] == weight * (double)(1 + (first + i) % period), "%s: element %d is %g",
                   call, first + i, sums[i]))
            return;
    for (int i = 0; i < 3; ++i)
        if (!check(sums[count + i] == -7, "%s wrote behind its result", call)) return;
}

static void begin(const char* call, int count) {
    in_case("%s of %d elements", call, count);
    for (int i = 0; i < count + 3; ++i) sums[i] = -7;
}

static void vectors_of(int count) {
    const int root = check_ranks - 1;
    begin("allreduce", count);
    MPI_Allreduce(mine, sums, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    expect("allreduce", 0, count);
    begin("allreduce in place", count);
    fill(sums, count);
    MPI_Allreduce(MPI_IN_PLACE, sums, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    expect("allreduce in place", 0, count);
    begin("reduce", count);
    if (check_rank == root) fill(sums, count);
    MPI_Reduce(check_rank == root ? MPI_IN_PLACE : mine, check_rank == root ? sums : NULL, count,
               MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
    if (check_rank == root) expect("reduce", 0, count);
}

/* Blocks of `block` elements, of which ranks get `less` fewer each than the one before, or none. */
static void blocks_of(int block, int less) {
    int* counts = malloc(sizeof(int) * (size_t)check_ranks);
    int first = 0, all = 0;
    for (int rank = 0; rank < check_ranks; ++rank) {
        counts[rank] = block > rank * less ? block - rank * less : 0;
        if (rank < check_rank) first += counts[rank];
        all += counts[rank];
    }
    const int own = counts[check_rank];
    begin("reduce-scatter", own);
    MPI_Reduce_scatter(mine, sums, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    expect("reduce-scatter", first, own);
    begin("reduce-scatter in place", all);
    fill(sums, all);
    MPI_Reduce_scatter(MPI_IN_PLACE, sums, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < 3; ++i) sums[own + i] = -7; /* what is behind it is undefined */
    expect("reduce-scatter in place", first, own);
    if (less == 0) {
        begin("reduce-scatter-block", own);
        MPI_Reduce_scatter_block(mine, sums, block, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        expect("reduce-scatter-block", first, own);
    }
    free(counts);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    check_begin();
    const int pass = (512 << 10) / check_ranks / (int)sizeof(double); /* of each rank */
    const int most = 3 * check_ranks * pass;
    mine = malloc(sizeof(double) * (size_t)(most + 3));
    sums = malloc(sizeof(double) * (size_t)(most + 3));
    fill(mine, most);
    const int counts[] = {check_ranks * pass, check_ranks * pass + 1, 2 * check_ranks * pass + 77};
    for (int i = 0; i < 3; ++i) vectors_of(counts[i]);
    blocks_of(pass, 0);
    blocks_of(2 * pass + 1, 0);
    blocks_of(2 * pass + 9, pass);
    for (int i = 0; i < most; ++i)
        if (!check(mine[i] == term(check_rank, i), "the input has changed")) break;
    free(mine);
    free(sums);
    const int code = check_end();
    MPI_Finalize();
    return code;
}

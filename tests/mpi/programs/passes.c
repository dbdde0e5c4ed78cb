/* Reductions of vectors that go through in several passes (interpose/vector_blocks.hpp) where a
 * rank gathers the operands of all, the last of which is cut unevenly or leaves ranks without
 * elements. The environment says by TASUKI_ALLREDUCE and its like what runs. Sums are exact, so
 * that every element is known. */
#include <ctype.h>

#include "tasuki_control.h"

enum { period = 61, behind = 3, times = 3 };

static double* mine;
static double* sums;
static int pass; /* elements of each rank, in one */

static double term(int rank, int i) {
    return (rank + 1.0) * (double)(1 + i % period);
}

static void fill(double* vector, int count) {
    for (int i = 0; i < count; ++i) vector[i] = term(check_rank, i);
}

/* The name that was asked for has run, or what adds exactly. */
static void check_asked_for(const char* collective) {
    char variable[64] = "TASUKI_", name[64];
    for (int i = 0; collective[i]; ++i)
        variable[7 + i] = collective[i] == '-' ? '_' : (char)toupper((unsigned char)collective[i]);
    const char* wish = getenv(variable);
    const char* mode = getenv("TASUKI_REPRODUCIBLE");
    if (wish == NULL) return;
    if (mode != NULL && strcmp(mode, "exact") == 0)
        return check_ran_exactly(collective, check_ranks);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(wish, ":"), wish);
    const char* last = last_algorithm_of(collective);
    check(begins_with_name(last, name), "%s ran by \"%s\"", collective, last);
}

/* Of the first `ranks` ranks. */
static void expect(const char* collective, int ranks, int first, int count) {
    const double weight = ranks * (ranks + 1.0) / 2;
    check_asked_for(collective);
    for (int i = 0; i < count; ++i)
        if (!check(sums[i] == weight * (double)(1 + (first + i) % period), "element %d is %g",
                   first + i, sums[i]))
            return;
    for (int i = 0; i < behind; ++i)
        if (!check(sums[count + i] == -7, "something was written behind the result")) return;
}

static void begin(const char* call, int count) {
    in_case("%s of %d elements", call, count);
    for (int i = 0; i < count + behind; ++i) sums[i] = -7;
}

static void vectors_of(int count) {
    const int root = check_ranks - 1;
    begin("allreduce", count);
    MPI_Allreduce(mine, sums, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    expect("allreduce", check_ranks, 0, count);
    begin("allreduce in place", count);
    fill(sums, count);
    MPI_Allreduce(MPI_IN_PLACE, sums, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    expect("allreduce", check_ranks, 0, count);
    begin("reduce", count);
    if (check_rank == root) fill(sums, count);
    MPI_Reduce(check_rank == root ? MPI_IN_PLACE : mine, check_rank == root ? sums : NULL, count,
               MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
    if (check_rank == root) expect("reduce", check_ranks, 0, count);
    begin("scan", count);
    MPI_Scan(mine, sums, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    expect("scan", check_rank + 1, 0, count);
    begin("exscan", count);
    MPI_Exscan(mine, sums, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (check_rank > 0) expect("exscan", check_rank, 0, count);
}

/* Blocks of so many elements of the first three ranks, the others have none; `receive` is NULL
 * where there is none. */
static void blocks_of(int first_block, int second_block, int third_block) {
    int* counts = calloc((size_t)check_ranks, sizeof(int));
    counts[0] = first_block;
    counts[1] = second_block;
    counts[2] = third_block;
    int first = 0, all = first_block + second_block + third_block;
    for (int rank = 0; rank < check_rank; ++rank) first += counts[rank];
    const int own = counts[check_rank];
    begin("reduce-scatter", own);
    MPI_Reduce_scatter(mine, own == 0 ? NULL : sums, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    expect("reduce-scatter", check_ranks, first, own);
    begin("reduce-scatter in place", all);
    fill(sums, all);
    MPI_Reduce_scatter(MPI_IN_PLACE, sums, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < behind; ++i) sums[own + i] = -7; /* what is there is undefined */
    expect("reduce-scatter", check_ranks, first, own);
    free(counts);
}

static void equal_blocks_of(int block) {
    begin("reduce-scatter-block", block);
    MPI_Reduce_scatter_block(mine, sums, block, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    expect("reduce-scatter", check_ranks, check_rank * block, block);
}

/* Of an element there is less than a pass, or the type has gaps. */
static void add_long(void* in, void* inout, int* count, MPI_Datatype* type) {
    int bytes;
    MPI_Type_size(*type, &bytes);
    const size_t numbers = (size_t)*count * (size_t)bytes / sizeof(double);
    for (size_t i = 0; i < numbers; ++i) ((double*)inout)[i] += ((double*)in)[i];
}

static void other_types(void) {
    enum { elements = 3 };
    MPI_Datatype of_long;
    MPI_Op addition;
    MPI_Type_contiguous(pass + 1, MPI_DOUBLE, &of_long);
    MPI_Type_commit(&of_long);
    MPI_Op_create(add_long, 1, &addition);
    const int count = elements * (pass + 1);
    begin("allreduce of long elements", count);
    MPI_Allreduce(mine, sums, elements, of_long, addition, MPI_COMM_WORLD);
    for (int i = 0; i < count; ++i)
        if (!check(sums[i] == check_ranks * (check_ranks + 1.0) / 2 * (1 + i % period),
                   "element %d is %g", i, sums[i]))
            break;
    MPI_Op_free(&addition);
    MPI_Type_free(&of_long);

    struct pair {
        double value;
        int place;
        int gap;
    };
    const int pairs = check_ranks * pass / 2 + 5;
    struct pair* given = malloc(sizeof(struct pair) * (size_t)pairs);
    struct pair* found = malloc(sizeof(struct pair) * (size_t)pairs);
    for (int i = 0; i < pairs; ++i) {
        given[i] = (struct pair){term((check_rank + i) % check_ranks, i), check_rank, 5};
        found[i] = (struct pair){0, 0, 9};
    }
    in_case("allreduce of %d pairs", pairs);
    MPI_Allreduce(given, found, pairs, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    for (int i = 0; i < pairs; ++i) {
        const int place = (2 * check_ranks - 1 - i % check_ranks) % check_ranks;
        if (!check(found[i].value == term(check_ranks - 1, i) && found[i].place == place &&
                       found[i].gap == 9,
                   "pair %d is %g of %d", i, found[i].value, found[i].place))
            break;
    }
    free(given);
    free(found);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    check_begin();
    has_tasuki();
    pass = (512 << 10) / check_ranks / (int)sizeof(double);
    const int most = 3 * check_ranks * pass;
    mine = malloc(sizeof(double) * (size_t)(most + behind));
    sums = malloc(sizeof(double) * (size_t)(most + behind));
    fill(mine, most);
    const int counts[] = {pass, check_ranks * pass + 1, 2 * check_ranks * pass + 77};
    /* Each again: what is known of a call that is repeated must not run another way. */
    for (int i = 0; i < 3 * times; ++i) vectors_of(counts[i / times]);
    for (int i = 0; i < times; ++i) equal_blocks_of(pass);
    for (int i = 0; i < times; ++i) equal_blocks_of(2 * pass + 1);
    for (int i = 0; i < times; ++i) blocks_of(pass * 9 / 10, pass * 7 / 10, 3);
    /* As many elements, in passes: those who know the call before must not take it for that. */
    for (int i = 0; i < times; ++i) blocks_of(pass * 9 / 10 + pass * 7 / 10, 3, 0);
    blocks_of(0, 2 * pass + 9, pass);
    other_types();
    for (int i = 0; i < most; ++i)
        if (!check(mine[i] == term(check_rank, i), "the input has changed")) break;
    free(mine);
    free(sums);
    const int code = check_end();
    MPI_Finalize();
    return code;
}

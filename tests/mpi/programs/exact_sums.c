/* Sums in the mode "exact" of numbers that the driver has made, for it to compare with fractions.
 *
 * exact_sums INPUT OUTPUT COUNT: INPUT has COUNT doubles for each rank. For 1, 2, ... ranks, in
 * their order, backwards and shuffled (by the rest of 7 times the rank by 19), as double, complex
 * double and float, OUTPUT gets the sums of MPI_Allreduce, MPI_Reduce and MPI_Reduce_scatter, and
 * the prefixes of MPI_Scan and MPI_Exscan on the last rank. That all ranks have the same is looked
 * at here. */
#include "tasuki_control.h"

struct kind {
    MPI_Datatype type;
    size_t bytes;
};

static FILE* output;

/* Rank 0 of `comm` writes what `owner` has, which is the same on all ranks if `is_on_all`. */
static void write_result(const void* result, size_t bytes, int owner, int is_on_all,
                         MPI_Comm comm) {
    int rank;
    MPI_Comm_rank(comm, &rank);
    char* told = malloc(bytes + 1);
    memcpy(told, result, bytes);
    MPI_Bcast(told, (int)bytes, MPI_BYTE, owner, comm);
    if (is_on_all) check(memcmp(told, result, bytes) == 0, "ranks have different bits");
    if (output != NULL) fwrite(told, 1, bytes, output);
    free(told);
}

static void sum(const void* mine, int count, const struct kind* kind, MPI_Comm comm) {
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    size_t bytes = (size_t)count * kind->bytes;
    char* result = malloc(bytes + 1);
    char* before_all = malloc(bytes + 1); /* of all calls: none may change its input */
    memcpy(before_all, mine, bytes);
    in_case("%d elements of %d bytes on %d ranks", count, (int)kind->bytes, ranks);

    memcpy(result, mine, bytes);
    MPI_Allreduce(ranks % 2 ? MPI_IN_PLACE : mine, result, count, kind->type, MPI_SUM, comm);
    check_ran_exactly("allreduce", ranks);
    write_result(result, bytes, 0, 1, comm);

    memcpy(result, mine, bytes);
    MPI_Reduce(rank == ranks - 1 ? MPI_IN_PLACE : mine, rank == ranks - 1 ? result : NULL, count,
               kind->type, MPI_SUM, ranks - 1, comm);
    write_result(result, bytes, ranks - 1, 0, comm);

    int* counts = malloc(sizeof(int) * (size_t)ranks);
    int* before = malloc(sizeof(int) * (size_t)ranks);
    for (int r = 0; r < ranks; ++r) {
        before[r] = r == 0 ? 0 : before[r - 1] + counts[r - 1];
        counts[r] = r == ranks - 1 ? count - before[r] : (r % 2) * (count / ranks);
    }
    char* block = malloc(bytes + 1); /* in place it holds all blocks first */
    memcpy(block, mine, bytes);
    MPI_Reduce_scatter(ranks % 2 ? mine : MPI_IN_PLACE, block, counts, kind->type, MPI_SUM, comm);
    check_ran_exactly("reduce-scatter", ranks);
    MPI_Allgatherv(block, counts[rank], kind->type, result, counts, before, kind->type, comm);
    write_result(result, bytes, 0, 1, comm);

    memcpy(result, mine, bytes);
    MPI_Scan(MPI_IN_PLACE, result, count, kind->type, MPI_SUM, comm);
    check_ran_exactly("scan", ranks);
    write_result(result, bytes, ranks - 1, 0, comm);

    memset(result, 0, bytes);
    if (ranks > 1) memcpy(result, mine, bytes);
    MPI_Exscan(ranks > 1 ? MPI_IN_PLACE : mine, result, count, kind->type, MPI_SUM, comm);
    check_ran_exactly("exscan", ranks);
    write_result(result, bytes, ranks - 1, 0, comm);

    check(memcmp(mine, before_all, bytes) == 0, "the input has changed");
    free(before_all);
    free(result);
    free(block);
    free(before);
    free(counts);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    check_begin();
    has_tasuki();
    int count = argc > 3 ? atoi(argv[3]) : 0;
    double* doubles = malloc(sizeof(double) * (size_t)count);
    float* floats = malloc(sizeof(float) * (size_t)count);
    FILE* input = fopen(argv[1], "rb");
    size_t place = sizeof(double) * (size_t)count * (size_t)check_rank;
    int is_read = input != NULL && fseek(input, (long)place, SEEK_SET) == 0 &&
                  fread(doubles, sizeof(double), (size_t)count, input) == (size_t)count;
    if (!check(is_read, "no %d doubles in %s", count, argv[1])) MPI_Abort(MPI_COMM_WORLD, 2);
    fclose(input);
    for (int i = 0; i < count; ++i) floats[i] = (float)doubles[i];
    const struct kind of_double = {MPI_DOUBLE, 8};
    const struct kind of_complex = {MPI_C_DOUBLE_COMPLEX, 16};
    const struct kind of_float = {MPI_FLOAT, 4};
    for (int ranks = 1; ranks <= check_ranks; ++ranks) {
        for (int order = 0; order < 3; ++order) {
            const int keys[3] = {check_rank, -check_rank, 7 * check_rank % 19};
            MPI_Comm comm;
            MPI_Comm_split(MPI_COMM_WORLD, check_rank < ranks ? 0 : MPI_UNDEFINED, keys[order],
                           &comm);
            if (comm == MPI_COMM_NULL) continue;
            if (check_rank == 0) output = fopen(argv[2], ranks + order == 1 ? "wb" : "ab");
            sum(doubles, count, &of_double, comm);
            sum(doubles, count / 2, &of_complex, comm);
            sum(floats, count, &of_float, comm);
            if (check_rank == 0) fclose(output);
            MPI_Comm_free(&comm);
        }
    }
    free(doubles);
    free(floats);
    int code = check_end();
    MPI_Finalize();
    return code;
}

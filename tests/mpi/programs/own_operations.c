/* own_operations together|large: operations of a program with one thread, which need not bear to
 * run twice at once, and need as much of a stack as the program's thread may have. 0 if all is
 * right. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

enum { NUMBERS = 400000, PIECE = 8000, ROUNDS = 5, LARGE = 3 << 20 };

/* By way of an array that stays, as local arrays of Fortran do. */
static void add_by_way(void* left, void* right, int* count, MPI_Datatype* type) {
    static double way[PIECE];
    const double* from = left;
    double* to = right;
    (void)type;
    for (int begin = 0; begin < *count; begin += PIECE) {
        int numbers = *count - begin < PIECE ? *count - begin : PIECE;
        for (int i = 0; i < numbers; ++i) way[i] = from[begin + i];
        for (int i = 0; i < numbers; ++i) way[i] += to[begin + i];
        for (int i = 0; i < numbers; ++i) to[begin + i] = way[i];
    }
}

static double mine[NUMBERS], sum[NUMBERS], less[NUMBERS], other_sum[NUMBERS];

static int together(int rank, int ranks) {
    MPI_Op operation;
    MPI_Comm other;
    MPI_Op_create(add_by_way, 1, &operation);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    for (int i = 0; i < NUMBERS; ++i) less[i] = -(mine[i] = i + rank);
    int is_right = 1;
    for (int round = 0; round < ROUNDS; ++round) {
        MPI_Request request;
        MPI_Iallreduce(mine, sum, NUMBERS, MPI_DOUBLE, operation, other, &request);
        MPI_Allreduce(less, other_sum, NUMBERS, MPI_DOUBLE, operation, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int i = 0; i < NUMBERS; ++i) {
            double expected = (double)ranks * i + ranks * (ranks - 1) / 2;
            is_right = is_right && sum[i] == expected && other_sum[i] == -expected;
        }
    }
    MPI_Comm_free(&other);
    MPI_Op_free(&operation);
    return is_right;
}

/* 24 MiB of local variables. */
static void add_in_large_frame(void* left, void* right, int* count, MPI_Datatype* type) {
    volatile double local[LARGE];
    const double* from = left;
    double* to = right;
    (void)type;
    for (int i = 0; i < LARGE; i += 500) local[i] = 0;
    for (int i = 0; i < *count; ++i) to[i] += from[i] + local[500 * (i % 100)];
}

static int large(int rank, int ranks) {
    MPI_Op operation;
    MPI_Request request;
    MPI_Op_create(add_in_large_frame, 1, &operation);
    mine[0] = rank;
    MPI_Iallreduce(mine, sum, 1, MPI_DOUBLE, operation, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Op_free(&operation);
    return sum[0] == ranks * (ranks - 1) / 2;
}

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    /* As `ulimit -s unlimited` does it, where this may be. */
    struct rlimit limit;
    getrlimit(RLIMIT_STACK, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_STACK, &limit);
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int is_right = strcmp(argv[1], "large") == 0 ? large(rank, ranks) : together(rank, ranks);
    MPI_Finalize();
    if (is_right) fprintf(stderr, "ok: operations are right\n");
    return !is_right;
}

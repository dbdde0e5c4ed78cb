/* Calls between plain buffers that come again and again, as loops make them, with other buffers,
 * roots and algorithms in between, so that what is remembered of a call is right for the next one
 * or forgotten.
 *
 * usage: posted CALLS */
#include "tasuki_control.h"

enum { most_ranks = 16, places = 3, room = 2 * most_ranks };

/* Of places that are not aligned alike. */
static double memory[2][places][room + 1];

static double* sent(int call) {
    double* buffer = memory[0][call % places];
    for (int i = 0; i < room; ++i) buffer[i] = 100 * check_rank + i + call;
    return buffer;
}

static double* received(int call) {
    double* buffer = memory[1][call / 2 % places] + 1;
    for (int i = 0; i < room; ++i) buffer[i] = -1;
    return buffer;
}

static double of(int other, int i, int call) {
    return 100 * other + i + call;
}

static void unchanged(const double* buffer, int call) {
    for (int i = 0; i < room; ++i) check(buffer[i] == of(check_rank, i, call), "input %d", i);
}

static double sum_below(int end, int i, int call) {
    double sum = 0;
    for (int other = 0; other < end; ++other) sum += of(other, i, call);
    return sum;
}

static void move(int call, int root, MPI_Comm communicator) {
    double* from = sent(call);
    double* to = received(call);
    MPI_Alltoall(from, 2, MPI_DOUBLE, to, 2, MPI_DOUBLE, communicator);
    for (int i = 0; i < 2 * check_ranks; ++i) {
        check(to[i] == of(i / 2, 2 * check_rank + i % 2, call), "alltoall %d", i);
    }
    MPI_Allgather(from, 2, MPI_DOUBLE, to, 2, MPI_DOUBLE, communicator);
    for (int i = 0; i < 2 * check_ranks; ++i)
        check(to[i] == of(i / 2, i % 2, call), "allgather %d", i);
    to = received(call);
    MPI_Gather(from, 1, MPI_DOUBLE, to, 1, MPI_DOUBLE, root, communicator);
    for (int i = 0; i < check_ranks; ++i) {
        check(to[i] == (check_rank == root ? of(i, 0, call) : -1), "gather %d", i);
    }
    to = received(call);
    MPI_Scatter(from, 2, MPI_DOUBLE, to, 2, MPI_DOUBLE, root, communicator);
    for (int i = 0; i < 2; ++i) check(to[i] == of(root, 2 * check_rank + i, call), "scatter %d", i);
    unchanged(from, call);
    if (check_rank == root) {
        MPI_Bcast(from, 3, MPI_DOUBLE, root, communicator);
        unchanged(from, call);
    } else {
        MPI_Bcast(to, 3, MPI_DOUBLE, root, communicator);
        for (int i = 0; i < 3; ++i) check(to[i] == of(root, i, call), "bcast %d", i);
    }
    MPI_Barrier(communicator);
}

static void reduce(int call, int root, MPI_Comm communicator) {
    double* from = sent(call);
    double* to = received(call);
    MPI_Allreduce(from, to, 2, MPI_DOUBLE, MPI_SUM, communicator);
    for (int i = 0; i < 2; ++i) check(to[i] == sum_below(check_ranks, i, call), "allreduce %d", i);
    for (int i = 0; i < 2; ++i) to[i] = from[i];
    MPI_Allreduce(MPI_IN_PLACE, to, 2, MPI_DOUBLE, MPI_SUM, communicator);
    for (int i = 0; i < 2; ++i) check(to[i] == sum_below(check_ranks, i, call), "in place %d", i);
    to = received(call);
    MPI_Reduce(from, to, 1, MPI_DOUBLE, MPI_SUM, root, communicator);
    check(to[0] == (check_rank == root ? sum_below(check_ranks, 0, call) : -1), "reduce");
    MPI_Scan(from, to, 2, MPI_DOUBLE, MPI_SUM, communicator);
    for (int i = 0; i < 2; ++i) check(to[i] == sum_below(check_rank + 1, i, call), "scan %d", i);
    to = received(call);
    MPI_Exscan(from, to, 1, MPI_DOUBLE, MPI_SUM, communicator);
    check(to[0] == (check_rank > 0 ? sum_below(check_rank, 0, call) : -1), "exscan");
    MPI_Reduce_scatter_block(from, to, 2, MPI_DOUBLE, MPI_SUM, communicator);
    for (int i = 0; i < 2; ++i) {
        check(to[i] == sum_below(check_ranks, 2 * check_rank + i, call), "reduce-scatter %d", i);
    }
    unchanged(from, call);
}

/* Elements with gaps, which are packed. */
static void find_most(int call, MPI_Comm communicator) {
    struct {
        double value;
        int place;
    } mine = {(check_rank + call) % check_ranks, check_rank}, most;
    MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, communicator);
    check(most.value == check_ranks - 1 &&
              most.place == ((check_ranks - 1 - call) % check_ranks + check_ranks) % check_ranks,
          "maxloc");
}

static void choose_memory(int call) {
    static const char* const ways[][3] = {
        {"allreduce", "recursive-doubling:carrier=memory", "one-shot:carrier=memory"},
        {"bcast", "binomial:carrier=memory", "scatter-allgather:carrier=memory"},
        {"reduce", "binomial:carrier=memory", "canonical-tree:carrier=memory"},
        {"gather", "linear:carrier=memory", "binomial:carrier=memory"},
        {"scatter", "linear:carrier=memory", "binomial:carrier=memory"},
    };
    for (unsigned i = 0; i < sizeof ways / sizeof ways[0]; ++i) {
        choose_for(ways[i][0], ways[i][1 + call / 16 % 2]);
    }
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    check_begin();
    const int calls = argc > 1 ? atoi(argv[1]) : 100;
    for (int round = 0; round < 2; ++round) {
        MPI_Comm communicator;
        MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
        for (int call = 0; call < calls; ++call) {
            in_case("round %d, call %d", round, call);
            if (call % 16 == 0) choose_memory(call);
            const int root = call / 4 % check_ranks;
            move(call, root, communicator);
            reduce(call, root, communicator);
            find_most(call, communicator);
        }
        MPI_Comm_free(&communicator);
    }
    int code = check_end();
    MPI_Finalize();
    return code;
}

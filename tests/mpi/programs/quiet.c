/* Learnt calls of which selection mostly asks nothing, made so that ranks find that out in
 * different ways: types that only some may remember, buffers and sizes that change, communicators
 * that go. All must go on running the same.
 *
 * usage: quiet CALLS */
#include "tasuki_control.h"

static void same_everywhere(const char* collective) {
    const char* text = last_algorithm_of(collective);
    unsigned long mine = 5381, greatest, least;
    for (; *text; ++text) mine = mine * 33 + (unsigned char)*text;
    PMPI_Allreduce(&mine, &greatest, 1, MPI_UNSIGNED_LONG, MPI_MAX, MPI_COMM_WORLD);
    PMPI_Allreduce(&mine, &least, 1, MPI_UNSIGNED_LONG, MPI_MIN, MPI_COMM_WORLD);
    check(least == greatest, "%s: the ranks ran different algorithms", collective);
}

/* Ranks that are odd describe the same ints by a type of their own. */
static void spread(MPI_Comm communicator, int rank, MPI_Datatype pair, int ints, int value) {
    int data[4] = {0};
    for (int i = 0; i < ints && rank == 0; ++i) data[i] = value + i;
    if (rank % 2 == 1) {
        MPI_Bcast(data, ints / 2, pair, 0, communicator);
    } else {
        MPI_Bcast(data, ints, MPI_INT, 0, communicator);
    }
    for (int i = 0; i < ints; ++i) check(data[i] == value + i, "bcast %d of %d", i, ints);
}

static void add(MPI_Comm communicator, int rank, int ranks, int call) {
    int data[3] = {rank + call, 1, rank}, sums[3];
    if (call % 7 == 6) {
        for (int i = 0; i < 3; ++i) sums[i] = data[i];
        MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_INT, MPI_SUM, communicator);
    } else {
        MPI_Allreduce(data, sums, 3, MPI_INT, MPI_SUM, communicator);
    }
    int ranks_sum = ranks * (ranks - 1) / 2;
    check(sums[0] == ranks_sum + ranks * call && sums[1] == ranks && sums[2] == ranks_sum,
          "allreduce, call %d", call);
}

/* Sizes that only the two ends of a message know, and that change. */
static int ints_between(int from, int to, int call) {
    return (from + 2 * to + call / 8) % 3;
}

static void exchange(MPI_Comm communicator, int rank, int ranks, int call) {
    enum { most_ranks = 16, most_ints = 3 };
    int out[most_ranks * most_ints], in[most_ranks * most_ints];
    int sent[most_ranks], received[most_ranks], places[most_ranks];
    for (int other = 0; other < ranks; ++other) {
        places[other] = most_ints * other;
        sent[other] = ints_between(rank, other, call);
        received[other] = ints_between(other, rank, call);
        for (int i = 0; i < most_ints; ++i) {
            out[places[other] + i] = 1000 * rank + 10 * other + call + i;
            in[places[other] + i] = -1;
        }
    }
    MPI_Alltoallv(out, sent, places, MPI_INT, in, received, places, MPI_INT, communicator);
    for (int at = 0; at < most_ints * ranks; ++at) {
        int other = at / most_ints, i = at % most_ints;
        int expected = i < received[other] ? 1000 * other + 10 * rank + call + i : -1;
        check(in[at] == expected, "alltoallv, call %d: block %d of %d", call, i, other);
    }
    int root = call / 5 % ranks;
    for (int other = 0; other < ranks; ++other) received[other] = ints_between(other, root, call);
    for (int at = 0; at < most_ints * ranks; ++at) in[at] = -1;
    MPI_Gatherv(out, received[rank], MPI_INT, in, received, places, MPI_INT, root, communicator);
    for (int at = 0; at < most_ints * ranks; ++at) {
        int other = at / most_ints, i = at % most_ints;
        int is_there = rank == root && i < received[other];
        check(in[at] == (is_there ? 1000 * other + call + i : -1), "gatherv, call %d: %d of %d",
              call, i, other);
    }
}

/* Calls that move nothing, of which ranks that are odd remember none of a broadcast. What a side
 * that does not count says is not asked. */
static void nothing(MPI_Comm communicator, int rank, int ranks, MPI_Datatype pair) {
    int root = ranks - 1, untouched[2] = {7, 8};
    int at_root = rank == root ? 0 : 5;
    MPI_Bcast(untouched, 0, rank % 2 == 1 ? pair : MPI_INT, root, communicator);
    MPI_Allreduce(untouched, untouched + 1, 0, MPI_INT, MPI_SUM, communicator);
    MPI_Reduce(untouched, untouched + 1, 0, MPI_INT, MPI_SUM, root, communicator);
    MPI_Reduce_scatter_block(untouched, untouched + 1, 0, MPI_INT, MPI_SUM, communicator);
    MPI_Alltoall(untouched, 0, MPI_INT, untouched + 1, 0, MPI_INT, communicator);
    MPI_Allgather(untouched, 0, MPI_INT, untouched + 1, 0, MPI_INT, communicator);
    MPI_Gather(untouched, 0, MPI_INT, untouched + 1, at_root, MPI_INT, root, communicator);
    MPI_Scatter(untouched, at_root, MPI_INT, untouched + 1, 0, MPI_INT, root, communicator);
    check(untouched[0] == 7 && untouched[1] == 8, "something came of nothing");
}

/* Messages too long for posts, from one of two buffers to one of two. */
static void exchange_long(MPI_Comm communicator, int rank, int ranks, int call) {
    enum { most_ranks = 16, ints = 4096 };
    static int out[2][most_ranks * ints], in[2][most_ranks * ints];
    int *from = out[call % 2], *to = in[call / 2 % 2];
    for (int at = 0; at < ranks; ++at) {
        from[at * ints] = 1000 * rank + 10 * at + call;
        from[at * ints + ints - 1] = -from[at * ints];
    }
    MPI_Alltoall(from, ints, MPI_INT, to, ints, MPI_INT, communicator);
    for (int at = 0; at < ranks; ++at) {
        int sent = 1000 * at + 10 * rank + call;
        check(to[at * ints] == sent && to[at * ints + ints - 1] == -sent,
              "alltoall, call %d: block of %d", call, at);
    }
    from[0] = call;
    from[ints - 1] = rank;
    int sum = ranks * (ranks - 1) / 2;
    MPI_Allreduce(from, to, ints, MPI_INT, MPI_SUM, communicator);
    check(to[0] == ranks * call && to[ints - 1] == sum, "long allreduce, call %d", call);
}

/* What the last call ran is told of calls that were quiet, too, and after others took the places
 * where it was known. */
static void is_told(MPI_Comm communicator) {
    enum { most_ints = 300 };
    static int data[most_ints], sums[most_ints];
    choose_for("bcast", "binomial");
    choose_for("allreduce", "recursive-doubling");
    for (int call = 0; call < 5; ++call) MPI_Bcast(data, 1, MPI_INT, 0, communicator);
    for (int ints = 1; ints <= most_ints; ++ints) {
        MPI_Allreduce(data, sums, ints, MPI_INT, MPI_SUM, communicator);
        MPI_Allreduce(data, sums, ints, MPI_INT, MPI_SUM, communicator);
    }
    check(strcmp(last_algorithm_of("bcast"), "binomial") == 0, "%s ran in bcast",
          last_algorithm_of("bcast"));
    check(strcmp(last_algorithm_of("allreduce"), "recursive-doubling") == 0, "%s ran in allreduce",
          last_algorithm_of("allreduce"));
    for (int call = 0; call < 3; ++call) {
        MPI_Bcast(data, 0, MPI_INT, 0, communicator);
        check(strcmp(last_algorithm_of("bcast"), "native: there is nothing to move") == 0,
              "%s ran for nothing, call %d", last_algorithm_of("bcast"), call);
    }
    MPI_Bcast(data, 1, MPI_INT, 0, communicator);
    check(strcmp(last_algorithm_of("bcast"), "binomial") == 0, "%s ran in the end",
          last_algorithm_of("bcast"));
    choose_for("bcast", "auto");
    choose_for("allreduce", "auto");
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    check_begin();
    const int calls = argc > 1 ? atoi(argv[1]) : 100;
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    for (int round = 0; round < 3; ++round) {
        in_case("round %d", round);
        MPI_Comm communicator;
        MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
        /* Now the last call of this thread was on the new one, which may lie where the old one was.
         */
        MPI_Barrier(communicator);
        for (int call = 0; call < calls; ++call) {
            /* First, so that in the end the last calls are those that were learnt. */
            nothing(communicator, check_rank, check_ranks, pair);
            spread(communicator, check_rank, pair, call % 5 == 4 ? 4 : 2, call);
            add(communicator, check_rank, check_ranks, call);
            exchange(communicator, check_rank, check_ranks, call);
            exchange_long(communicator, check_rank, check_ranks, call);
            if (call % 3 == 0) MPI_Barrier(communicator);
        }
        if (has_tasuki()) {
            same_everywhere("bcast");
            same_everywhere("allreduce");
            same_everywhere("barrier");
            same_everywhere("alltoallv");
            same_everywhere("gather");
            same_everywhere("alltoall");
            /* What runs changes between two calls that are otherwise the same. */
            choose_for("bcast", "binomial");
            spread(communicator, check_rank, pair, 2, round);
            check(strcmp(last_algorithm_of("bcast"), "binomial") == 0, "%s ran",
                  last_algorithm_of("bcast"));
            choose_for("bcast", "auto");
            is_told(communicator);
        }
        MPI_Comm_free(&communicator);
    }
    MPI_Type_free(&pair);
    int code = check_end();
    MPI_Finalize();
    return code;
}

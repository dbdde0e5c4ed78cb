/* Buffers in "device memory" on the last rank, in every collective but all-to-all: the host gets
 * the call, all ranks alike, and says why. Each is called with and without.
 *
 * usage: device_collectives PATH_OF_LIBCUDA */
#include "tasuki_control.h"

enum { count = 40, most_ranks = 16 };

static void (*set_device_range)(void*, unsigned long);
static int from[count * most_ranks], to[count * most_ranks];
static int counts[most_ranks], places[most_ranks];

static int sum_of_ranks(int ranks) {
    return ranks * (ranks + 1) / 2;
}

/* Every rank gives its number and one: `expected` of each first element, where there is a result.
 */
struct called {
    const char* collective;
    const char* choice;
    int expected;
};

static void call(int which, struct called* called) {
    const MPI_Comm world = MPI_COMM_WORLD;
    const int all = sum_of_ranks(check_ranks), mine = check_rank + 1;
    const int root = check_ranks - 1, at_root = check_rank == root;
    switch (which) {
        case 0:
            *called = (struct called){"bcast", "binomial", 1};
            if (at_root) to[0] = 1;
            MPI_Bcast(to, count, MPI_INT, root, world);
            return;
        case 1:
            *called = (struct called){"allreduce", "recursive-doubling", all};
            MPI_Allreduce(from, to, count, MPI_INT, MPI_SUM, world);
            return;
        case 2:
            *called = (struct called){"reduce", "binomial", at_root ? all : 0};
            MPI_Reduce(from, to, count, MPI_INT, MPI_SUM, root, world);
            return;
        case 3:
            *called = (struct called){"scan", "linear", sum_of_ranks(mine)};
            MPI_Scan(from, to, count, MPI_INT, MPI_SUM, world);
            return;
        case 4:
            *called = (struct called){"exscan", "linear", sum_of_ranks(check_rank)};
            MPI_Exscan(from, to, count, MPI_INT, MPI_SUM, world);
            return;
        case 5:
            *called = (struct called){"reduce-scatter", "pairwise", all};
            MPI_Reduce_scatter_block(from, to, count, MPI_INT, MPI_SUM, world);
            return;
        case 6:
            *called = (struct called){"allgather", "ring", 1};
            MPI_Allgather(from, count, MPI_INT, to, count, MPI_INT, world);
            return;
        case 7:
            *called = (struct called){"gather", "linear", at_root};
            MPI_Gather(from, count, MPI_INT, to, count, MPI_INT, root, world);
            return;
        case 8:
            *called = (struct called){"scatter", "linear", check_ranks};
            MPI_Scatter(from, count, MPI_INT, to, count, MPI_INT, root, world);
            return;
        default:
            *called = (struct called){"alltoallv", "spread", 1};
            MPI_Alltoallv(from, counts, places, MPI_INT, to, counts, places, MPI_INT, world);
    }
}

static void run(int which, int rank, int is_result) {
    struct called called = {"", "", 0};
    set_device_range(rank == check_rank ? (is_result ? to : from) : NULL,
                     rank == check_rank ? sizeof to : 0);
    for (int i = 0; i < count * most_ranks; ++i) from[i] = check_rank + 1;
    memset(to, 0, sizeof to);
    call(which, &called);
    in_case("%s: device memory on %d, result %d", called.collective, rank, is_result);
    check(to[0] == called.expected, "%d, expected %d", to[0], called.expected);
    if (!has_tasuki()) return;
    const char* last = last_algorithm_of(called.collective);
    /* A broadcast has but one buffer. */
    const int is_used = rank >= 0 && (is_result || which != 0);
    if (is_used)
        check(strstr(last, "device memory") != NULL, "ran \"%s\"", last);
    else
        check(begins_with_name(last, called.choice), "ran \"%s\"", last);
}

int main(int argc, char** argv) {
    void* cuda = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL) : NULL;
    MPI_Init(&argc, &argv);
    check_begin();
    if (!cuda || check_ranks > most_ranks) MPI_Abort(MPI_COMM_WORLD, 2);
    *(void**)&set_device_range = dlsym(cuda, "fake_device_range");
    for (int i = 0; i < check_ranks; ++i) counts[i] = count, places[i] = i * count;
    for (int which = 0; which < 10; ++which) {
        struct called called = {"", "", 0};
        call(which, &called);
        choose_for(called.collective, called.choice);
        run(which, -1, 0);
        run(which, check_ranks - 1, 0);
        run(which, check_ranks - 1, 1);
        run(which, -1, 0);
    }
    int code = check_end();
    MPI_Finalize();
    return code;
}

/* How much memory ranks take when collectives are carried by memory.
 *
 * usage: memory_use
 * Rank 0 prints lines "STAGE KIB": of the rank with the most, what it has taken since collectives
 * were carried by the host: its part of pages that are shared, and page tables. */
#include <unistd.h>

#include "exchange.h"
#include "tasuki_control.h"

/* KiB that a line of a file in /proc/self begins with. */
static long kib_of(const char* path, const char* name) {
    char line[256];
    long found = 0;
    FILE* file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, name, strlen(name)) == 0) found = atol(line + strlen(name));
    if (file) fclose(file);
    return found;
}

static long taken(void) {
    return kib_of("/proc/self/smaps_rollup", "Pss:") + kib_of("/proc/self/status", "VmPTE:");
}

static void broadcast(void) {
    int data[16];
    for (int i = 0; i < 16; ++i) data[i] = check_rank == 0 ? 7 * i : 0;
    MPI_Bcast(data, 16, MPI_INT, 0, MPI_COMM_WORLD);
    check(data[15] == 105, "the broadcast brought %d", data[15]);
}

static void gather_round_a_ring(void) {
    int* all = calloc(check_ranks, sizeof *all);
    MPI_Allgather(&check_rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    check(all[check_ranks - 1] == check_ranks - 1, "the last rank is %d", all[check_ranks - 1]);
    free(all);
}

static void exchange_with_all(void) {
    check_exchange(MPI_COMM_WORLD, 2, 1);
}

struct stage {
    const char *name, *collective, *choice;
    void (*call)(void);
};

/* What ranks are in the middle of while one of them looks would be counted. */
static long most_more_than(long before) {
    MPI_Barrier(MPI_COMM_WORLD);
    long mine = taken() - before, most = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Reduce(&mine, &most, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
    return most;
}

int main(int argc, char** argv) {
    const struct stage stages[] = {
        {"tree", "bcast", "binomial:carrier=memory", broadcast},
        {"ring", "allgather", "ring:carrier=memory", gather_round_a_ring},
        {"all", "alltoall", "spread:carrier=memory", exchange_with_all},
    };
    enum { count = sizeof stages / sizeof *stages };
    MPI_Init(&argc, &argv);
    check_begin();
    for (int call = 0; call < 3; ++call)
        for (int stage = 0; stage < count; ++stage) stages[stage].call();
    most_more_than(0);
    const long before = taken();
    for (int stage = 0; stage < count; ++stage) {
        const struct stage* now = &stages[stage];
        in_case("%s", now->name);
        choose_for(now->collective, now->choice);
        for (int call = 0; call < 3; ++call) now->call();
        const char* last = last_algorithm_of(now->collective);
        check(!has_tasuki() || strstr(last, "carrier=memory"), "%s ran", last);
        const long most = most_more_than(before);
        if (check_rank == 0) printf("%s %ld\n", now->name, most);
    }
    const int code = check_end();
    MPI_Finalize();
    return code;
}

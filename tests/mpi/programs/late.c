/* One rank comes late to a collective: those that wait for it must leave their cores to others.
 *
 * usage: late CHOICE... */
#include <time.h>

#include "exchange.h"
#include "tasuki_control.h"

/* The calls before, of which the last are made by requests that the host keeps. */
enum { calls_before = 40, count = 16 };
static const double delay = 0.4;
/* Of the delay: a twentieth is promised after the first millisecond. */
static const double most_computed = 0.1;

static double computed(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void wait_for_the_last(const struct candidate* candidate) {
    const size_t ints = (size_t)check_ranks * count;
    int* sent = malloc(ints * sizeof(int));
    int* received = malloc(ints * sizeof(int));
    for (int call = 0; call <= calls_before; ++call) {
        fill_exchange(sent, check_rank, check_ranks, count, (uint32_t)call);
        memset(received, 0, ints * sizeof(int));
        if (call == calls_before && check_rank == check_ranks - 1) {
            const struct timespec time = {0, (long)(delay * 1e9)};
            nanosleep(&time, NULL);
        }
        const double before = computed();
        const int code =
            MPI_Alltoall(sent, count, MPI_INT, received, count, MPI_INT, MPI_COMM_WORLD);
        const double share = (computed() - before) / delay;
        check(code == MPI_SUCCESS, "MPI_Alltoall gave %d", code);
        check(is_exchanged(received, check_rank, check_ranks, count, (uint32_t)call), "wrong data");
        if (call < calls_before || !has_tasuki()) continue;
        check(strcmp(last_algorithm(), candidate->choice) == 0, "ran \"%s\"", last_algorithm());
        if (check_rank == check_ranks - 1) continue;
        check(share < most_computed, "%s: took %.1f %% of a core while it waited",
              candidate->choice, 100 * share);
    }
    free(sent), free(received);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    check_begin();
    for (int i = 1; i < argc; ++i) {
        const struct candidate candidate = parse_candidate(argv[i]);
        in_case("%s", argv[i]);
        choose(&candidate);
        wait_for_the_last(&candidate);
    }
    const int code = check_end();
    MPI_Finalize();
    return code;
}

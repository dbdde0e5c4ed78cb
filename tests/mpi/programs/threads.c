/* Every level of threads; with MPI_THREAD_MULTIPLE, four threads exchange on communicators of their
 * own at the same time.
 *
 * usage: threads {single|funneled|serialized|multiple} [CANDIDATE...] */
#include <pthread.h>

#include "exchange.h"
#include "tasuki_control.h"

enum { threads = 4, calls = 15 };

struct work {
    pthread_t thread;
    MPI_Comm comm;
    const struct candidate* candidate;
};

static void* exchange(void* argument) {
    struct work* work = argument;
    in_case("a thread by %s", work->candidate->choice);
    for (uint32_t call = 0; call < calls; ++call) {
        check_exchange(work->comm, 1 + (int)(mix(call, 1, 2, 3) % 600), call);
        check_ran(work->candidate, check_ranks, 0);
    }
    return NULL;
}

static int level_named(const char* name) {
    if (strcmp(name, "single") == 0) return MPI_THREAD_SINGLE;
    if (strcmp(name, "funneled") == 0) return MPI_THREAD_FUNNELED;
    if (strcmp(name, "serialized") == 0) return MPI_THREAD_SERIALIZED;
    return MPI_THREAD_MULTIPLE;
}

/* One thread at a time where the level allows no more. */
static void run(const struct candidate* candidate, int level) {
    struct work works[threads];
    choose(candidate);
    for (int thread = 0; thread < threads; ++thread) {
        works[thread].candidate = candidate;
        MPI_Comm_dup(MPI_COMM_WORLD, &works[thread].comm);
        if (level == MPI_THREAD_MULTIPLE || level == MPI_THREAD_SERIALIZED)
            pthread_create(&works[thread].thread, NULL, exchange, &works[thread]);
        else
            exchange(&works[thread]);
        if (level == MPI_THREAD_SERIALIZED) pthread_join(works[thread].thread, NULL);
    }
    for (int thread = 0; thread < threads; ++thread) {
        if (level == MPI_THREAD_MULTIPLE) pthread_join(works[thread].thread, NULL);
        MPI_Comm_free(&works[thread].comm);
    }
}

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    int wanted = level_named(argv[1]), provided, asked, is_main;
    MPI_Init_thread(&argc, &argv, wanted, &provided);
    check_begin();
    in_case("threads %s", argv[1]);
    MPI_Query_thread(&asked);
    MPI_Is_thread_main(&is_main);
    check(asked == provided && is_main, "level %d given, %d told", provided, asked);
    check(provided >= wanted, "level %d given, %d wanted", provided, wanted);
    for (int argument = 2; argument < argc; ++argument) {
        struct candidate candidate = parse_candidate(argv[argument]);
        in_case("threads %s: %s", argv[1], candidate.choice);
        run(&candidate, provided >= wanted ? wanted : provided);
    }
    int code = check_end();
    MPI_Finalize();
    return code;
}

/* Communicators that reach processes of another world, which run without Tasuki or with another
 * agreement, are the host's; those merged inside one world are Tasuki's.
 *
 * usage: spawned {-|TASUKI} [CANDIDATE...]
 *   -       the process that is started runs without Tasuki
 *   TASUKI  the launcher that it runs under */
#include "exchange.h"
#include "tasuki_control.h"

static const int counts[] = {1, 1000};

/* The calls of one candidate; both worlds make them. */
static void exchange_all(MPI_Comm comm) {
    for (uint32_t call = 0; call < 2; ++call) check_exchange(comm, counts[call], call);
}

static MPI_Comm spawn(char* program, char* launcher) {
    char* arguments[] = {"run", program, NULL};
    MPI_Comm between;
    if (strcmp(launcher, "-") == 0) {
        MPI_Comm_spawn(program, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &between,
                       MPI_ERRCODES_IGNORE);
    } else {
        MPI_Comm_spawn(launcher, arguments, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &between,
                       MPI_ERRCODES_IGNORE);
    }
    return between;
}

/* In the process that was started: as many candidates as the others have. */
static void be_spawned(MPI_Comm parents) {
    MPI_Comm all;
    int candidates;
    struct candidate candidate = {"bruck", 0, 0, 0};
    in_case("the process that was started");
    if (dlsym(RTLD_DEFAULT, "tasuki_choose")) choose(&candidate);
    MPI_Intercomm_merge(parents, 1, &all);
    MPI_Bcast(&candidates, 1, MPI_INT, 0, all);
    for (int number = 0; number < candidates; ++number) exchange_all(all);
    MPI_Comm_free(&all);
}

static void with_other_world(MPI_Comm between, int candidates, char** names) {
    MPI_Comm all;
    MPI_Intercomm_merge(between, 0, &all);
    MPI_Bcast(&candidates, 1, MPI_INT, 0, all);
    for (int number = 0; number < candidates; ++number) {
        struct candidate candidate = parse_candidate(names[number]);
        choose(&candidate);
        in_case("%s: merged with another world", candidate.choice);
        exchange_all(all);
        if (!begins_with_name(candidate.choice, "native"))
            check_passed_to_host("outside of MPI_COMM_WORLD");
    }
    MPI_Comm_free(&all);
}

static void inside_our_world(int candidates, char** names) {
    MPI_Comm half, between, all;
    int lower = check_rank < check_ranks / 2;
    MPI_Comm_split(MPI_COMM_WORLD, lower, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, lower ? check_ranks / 2 : 0, 3, &between);
    MPI_Intercomm_merge(between, lower, &all);
    for (int number = 0; number < candidates; ++number) {
        struct candidate candidate = parse_candidate(names[number]);
        choose(&candidate);
        in_case("%s: merged inside one world", candidate.choice);
        exchange_all(all);
        check_ran(&candidate, check_ranks, 0);
    }
    MPI_Comm_free(&all), MPI_Comm_free(&between), MPI_Comm_free(&half);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    check_begin();
    MPI_Comm between;
    MPI_Comm_get_parent(&between);
    if (between != MPI_COMM_NULL) {
        be_spawned(between);
    } else {
        if (argc < 2) MPI_Abort(MPI_COMM_WORLD, 2);
        between = spawn(argv[0], argv[1]);
        with_other_world(between, argc - 2, argv + 2);
        inside_our_world(argc - 2, argv + 2);
    }
    MPI_Comm_disconnect(&between);
    int code = check_end();
    MPI_Finalize();
    return code;
}

/* collectives SEED CALLS NAME/CHOICE[@CONDITION]...: random calls of each collective by each
 * choice, on the world and on parts of it, against the host. A choice runs, or says why not. */
#include "collectives.h"

extern const struct collective moving[], reducing[];

/* Reasons for which the host may have done a call that was to run by `name`. */
static int is_reason(const char* last) {
    static const char* const reasons[] = {"nothing to", "it needs several nodes", "does not know",
                                          "does not commute", "the sizes of blocks"};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; ++i)
        if (strstr(last, reasons[i])) return 1;
    return 0;
}

static void check_ran_by(const char* collective, const char* choice) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(choice, ":"), choice);
    const char* last = last_algorithm_of(collective);
    if (strcmp(name, "auto") == 0 || strcmp(name, "native") == 0) return;
    check(begins_with_name(last, name) || is_reason(last), "\"%s\" ran, not %s", last, name);
}

/* The world, its ranks in reverse order, and two parts of it. */
static int make_places(struct place* places) {
    int halves = check_rank % 2;
    MPI_Comm_dup(MPI_COMM_WORLD, &places[0].comm);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -check_rank, &places[1].comm);
    MPI_Comm_split(MPI_COMM_WORLD, halves, check_rank, &places[2].comm);
    for (int i = 0; i < 3; ++i) {
        MPI_Comm_rank(places[i].comm, &places[i].rank);
        MPI_Comm_size(places[i].comm, &places[i].ranks);
    }
    return 3;
}

static void call_some(const struct collective* collective, const char* choice, uint32_t seed,
                      int calls, const struct place* places, int count) {
    struct draws own = {mix(seed, (uint32_t)check_rank, 2, 5)};
    /* The same call many times, so that something is learnt. */
    int repeats = strncmp(choice, "auto", 4) == 0 ? 30 : 1;
    if (repeats > 1) calls = 2 * repeats;
    for (int i = 0; i < calls; ++i) {
        struct draws common = {mix(seed, (uint32_t)(i / repeats), 1, 1)};
        const struct place* place = &places[draw(&common, count)];
        in_case("%s by %s, call %d, rank %d of %d", collective->variant, choice, i, place->rank,
                place->ranks);
        collective->call(place, &common, &own);
        if (has_tasuki()) check_ran_by(collective->name, choice);
    }
}

static void run_choice(const char* argument, uint32_t seed, int calls, const struct place* places,
                       int count) {
    char name[64], choice[128];
    const char* slash = strchr(argument, '/');
    snprintf(name, sizeof name, "%.*s", (int)(slash - argument), argument);
    snprintf(choice, sizeof choice, "%.*s", (int)strcspn(slash + 1, "@"), slash + 1);
    if (has_tasuki()) choose_for(name, choice);
    const struct collective* lists[2] = {moving, reducing};
    int found = 0;
    for (int list = 0; list < 2; ++list)
        for (const struct collective* at = lists[list]; at->name != NULL; ++at)
            if (strcmp(at->name, name) == 0) {
                call_some(at, choice, mix(seed, (uint32_t)found++, 0, 0), calls, places, count);
            }
    check(found > 0, "this program has no calls of %s", name);
    if (has_tasuki()) choose_for(name, "native");
}

int main(int argc, char** argv) {
    struct place places[3];
    MPI_Init(&argc, &argv);
    check_begin();
    make_forms();
    int count = make_places(places);
    uint32_t seed = (uint32_t)atoi(argv[1]);
    int calls = atoi(argv[2]);
    for (int i = 3; i < argc; ++i)
        run_choice(argv[i], mix(seed, (uint32_t)i, 0, 0), calls, places, count);
    for (int i = 0; i < count; ++i) MPI_Comm_free(&places[i].comm);
    free_forms();
    int code = check_end();
    MPI_Finalize();
    return code;
}

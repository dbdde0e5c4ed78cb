/* stress SEED CALLS THREADS: so many random calls of all collectives, against the host's answers,
 * shared by threads, each on communicators of its own, which come and go. Kind, root, count, type,
 * operation and communicator are drawn; each call is repeated some times, so that sizes are learnt.
 */
#include <pthread.h>

#include "collectives.h"

extern const struct collective moving[], reducing[];

enum { most_threads = 8, most_collectives = 32, most_repeats = 12, calls_between_splits = 150 };

struct worker {
    pthread_t thread;
    uint32_t seed;
    int number, calls;
    struct place
        places[3]; /* all ranks, and two sets of some of them; the last one comes and goes */
};

static const struct collective* all[most_collectives];
static int kinds;

static void list_collectives(void) {
    const struct collective* lists[2] = {moving, reducing};
    for (int list = 0; list < 2; ++list)
        for (const struct collective* at = lists[list]; at->name != NULL; ++at) all[kinds++] = at;
}

static struct place place_on(MPI_Comm comm) {
    struct place place = {.comm = comm};
    MPI_Comm_rank(comm, &place.rank);
    MPI_Comm_size(comm, &place.ranks);
    return place;
}

/* Some of the ranks, in any order. */
static struct place part_of(const struct place* whole, uint32_t seed) {
    MPI_Comm part;
    int colours = whole->ranks > 3 ? 2 : 1;
    uint32_t mine = mix(seed, (uint32_t)whole->rank, 6, 6);
    MPI_Comm_split(whole->comm, (int)(mine % (uint32_t)colours), (int)(mine >> 16), &part);
    return place_on(part);
}

static void* work(void* argument) {
    struct worker* worker = argument;
    struct draws own = {mix(worker->seed, (uint32_t)check_rank, 2, 5)};
    worker->places[1] = part_of(&worker->places[0], mix(worker->seed, 1, 0, 0));
    worker->places[2] = part_of(&worker->places[0], mix(worker->seed, 2, 0, 0));
    int done = 0, split_at = calls_between_splits;
    while (done < worker->calls) {
        struct draws common = {mix(worker->seed, (uint32_t)done, 3, 3)};
        const struct place* place = &worker->places[draw(&common, 3)];
        const struct collective* collective = all[draw(&common, kinds)];
        int repeats = 1 + draw(&common, most_repeats);
        for (int i = 0; i < repeats && done < worker->calls; ++i, ++done) {
            struct draws again = common;
            in_case("thread %d, call %d: %s, rank %d of %d", worker->number, done,
                    collective->variant, place->rank, place->ranks);
            collective->call(place, &again, &own);
        }
        if (done >= split_at) {
            split_at += calls_between_splits;
            MPI_Comm_free(&worker->places[2].comm);
            worker->places[2] = part_of(&worker->places[0], common.state);
        }
    }
    for (int i = 0; i < 3; ++i) MPI_Comm_free(&worker->places[i].comm);
    return NULL;
}

int main(int argc, char** argv) {
    struct worker workers[most_threads];
    int provided;
    if (argc < 4) return 2;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    check_begin();
    uint32_t seed = (uint32_t)atoi(argv[1]);
    int calls = atoi(argv[2]), threads = atoi(argv[3]), least;
    MPI_Allreduce(&provided, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (least < MPI_THREAD_MULTIPLE) threads = 1;
    if (check_rank == 0) printf("seed %u, %d calls, %d threads\n", seed, calls, threads);
    make_forms();
    list_collectives();
    for (int i = 0; i < threads; ++i) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        workers[i] = (struct worker){.seed = mix(seed, (uint32_t)i, 8, 8),
                                     .number = i,
                                     .calls = calls / threads,
                                     .places = {place_on(comm)}};
    }
    if (threads == 1) work(&workers[0]);
    for (int i = 0; threads > 1 && i < threads; ++i)
        pthread_create(&workers[i].thread, NULL, work, &workers[i]);
    for (int i = 0; threads > 1 && i < threads; ++i) pthread_join(workers[i].thread, NULL);
    free_forms();
    int code = check_end();
    MPI_Finalize();
    return code;
}

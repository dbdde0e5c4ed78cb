/* Times MPI_Alltoall by each algorithm in turn and checks every answer. See README.md.
 *
 * Rank 0 writes one JSON object a line: for each size and algorithm its times, or why it was
 * skipped. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/arguments.h"
#include "../common/control.h"
#include "../common/payload.h"
#include "../common/statistics.h"

static const char usage[] =
    "alltoall SECONDS REPETITIONS SIZE[,SIZE...] ALGORITHM...\n"
    "  SECONDS      time to spend on each size\n"
    "  REPETITIONS  at most so many for each size and algorithm\n"
    "  SIZE         bytes from each rank to each";

enum { FEWEST_REPETITIONS = 5, LONGEST_NAME = 256 };

typedef struct {
    const char* choice;
    char ran[LONGEST_NAME]; /* what Tasuki says that it ran in the first call */
    int skipped;            /* the host's own ran instead */
} Candidate;

typedef struct {
    int rank, ranks;
    Control control;
    double seconds;
    int repetitions;
    int candidates;
    Candidate* candidate;
    char *outgoing, *incoming;
    long iteration; /* of all calls so far, so that no two carry the same data */
} Benchmark;

static void fail(const Benchmark* benchmark, const Candidate* candidate, int bytes,
                 const char* what) {
    fprintf(stderr, "alltoall: rank %d of %d, %d bytes, '%s': %s\n", benchmark->rank,
            benchmark->ranks, bytes, candidate->choice, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* One checked call; seconds of this rank. */
static double call(Benchmark* benchmark, const Candidate* candidate, int bytes) {
    long iteration = benchmark->iteration++;
    choose_alltoall(&benchmark->control, candidate->choice);
    for (int to = 0; to < benchmark->ranks; ++to)
        payload_fill(benchmark->outgoing + (size_t)to * bytes, bytes, benchmark->rank, to,
                     iteration);
    memset(benchmark->incoming, 0, (size_t)benchmark->ranks * bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    double began = MPI_Wtime();
    MPI_Alltoall(benchmark->outgoing, bytes, MPI_BYTE, benchmark->incoming, bytes, MPI_BYTE,
                 MPI_COMM_WORLD);
    double seconds = MPI_Wtime() - began;
    for (int from = 0; from < benchmark->ranks; ++from)
        if (!payload_holds(benchmark->incoming + (size_t)from * bytes, bytes, from, benchmark->rank,
                           iteration))
            fail(benchmark, candidate, bytes, "the data received is wrong");
    return seconds;
}

/* The first call of each algorithm: not timed; sets `ran` and `skipped`. */
static void warm_up(Benchmark* benchmark, int bytes) {
    for (int i = 0; i < benchmark->candidates; ++i) {
        Candidate* candidate = &benchmark->candidate[i];
        call(benchmark, candidate, bytes);
        snprintf(candidate->ran, LONGEST_NAME, "%s",
                 ran_last(&benchmark->control, candidate->choice));
        int replaced =
            strncmp(candidate->ran, "native", 6) == 0 && strcmp(candidate->choice, "native") != 0;
        MPI_Allreduce(&replaced, &candidate->skipped, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    }
}

static void print_string(const char* name, const char* text) {
    printf("\"%s\": \"", name);
    for (; *text; ++text) {
        if (*text == '"' || *text == '\\') putchar('\\');
        putchar((unsigned char)*text < ' ' ? ' ' : *text);
    }
    putchar('"');
}

static void print_row(const Candidate* candidate, int bytes, double* seconds, int repetitions) {
    printf("{\"bytes\": %d, ", bytes);
    print_string("algorithm", candidate->choice);
    printf(", ");
    print_string(candidate->skipped ? "skipped" : "ran", candidate->ran);
    if (!candidate->skipped) {
        Summary summary = summarise(seconds, repetitions);
        printf(
            ", \"repetitions\": %d, \"median_seconds\": %.9g, \"minimum_seconds\": %.9g"
            ", \"spread\": %.6g",
            repetitions, summary.median, summary.minimum, relative_spread(&summary));
    }
    printf("}\n");
    fflush(stdout);
}

/* Rank 0 looks at its clock and tells the others. */
static int is_time_left(const Benchmark* benchmark, double began, int repetition) {
    int more = repetition < FEWEST_REPETITIONS || MPI_Wtime() - began < benchmark->seconds;
    MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return more && repetition < benchmark->repetitions;
}

static void measure(Benchmark* benchmark, int bytes) {
    int most = benchmark->repetitions;
    size_t values = (size_t)benchmark->candidates * most;
    double* seconds = calloc(values, sizeof *seconds);
    double* slowest = calloc(values, sizeof *slowest);
    benchmark->outgoing = malloc((size_t)benchmark->ranks * bytes);
    benchmark->incoming = malloc((size_t)benchmark->ranks * bytes);
    if (!seconds || !slowest || !benchmark->outgoing || !benchmark->incoming)
        fail(benchmark, &benchmark->candidate[0], bytes, "not enough memory");

    warm_up(benchmark, bytes);
    double began = MPI_Wtime();
    int repetition = 0;
    for (; is_time_left(benchmark, began, repetition); ++repetition) {
        for (int turn = 0; turn < benchmark->candidates; ++turn) {
            /* Each repetition begins with another one: what came before counts for all alike. */
            int i = (turn + repetition) % benchmark->candidates;
            Candidate* candidate = &benchmark->candidate[i];
            if (candidate->skipped) continue;
            seconds[(size_t)i * most + repetition] = call(benchmark, candidate, bytes);
            if (strcmp(ran_last(&benchmark->control, candidate->choice), candidate->ran) != 0)
                fail(benchmark, candidate, bytes, "another algorithm ran than in the first call");
        }
    }
    MPI_Reduce(seconds, slowest, (int)values, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    for (int i = 0; benchmark->rank == 0 && i < benchmark->candidates; ++i)
        print_row(&benchmark->candidate[i], bytes, slowest + (size_t)i * most, repetition);

    free(seconds);
    free(slowest);
    free(benchmark->outgoing);
    free(benchmark->incoming);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    if (argc < 5) refuse_arguments(usage);
    Benchmark benchmark = {.control = find_control(),
                           .seconds = parse_seconds(argv[1], usage),
                           .repetitions = parse_count(argv[2], usage),
                           .candidates = argc - 4,
                           .candidate = calloc((size_t)argc - 4, sizeof(Candidate))};
    MPI_Comm_rank(MPI_COMM_WORLD, &benchmark.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &benchmark.ranks);
    for (int i = 0; i < benchmark.candidates; ++i) benchmark.candidate[i].choice = argv[4 + i];
    Sizes sizes = parse_sizes(argv[3], usage);
    for (int i = 0; i < sizes.count; ++i) measure(&benchmark, sizes.bytes[i]);
    free(benchmark.candidate);
    MPI_Finalize();
    return 0;
}

/* Times a collective by each algorithm in turn and checks its answers. See README.md.
 *
 * Rank 0 writes one JSON object a line: for each size and algorithm its times, or why it was
 * skipped; or that Tasuki does not know the collective. What the benchmark itself needs of MPI it
 * asks of the host, by PMPI, so that none of it is timed or learnt. */
#define _GNU_SOURCE
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/arguments.h"
#include "../common/control.h"
#include "../common/json.h"
#include "../common/statistics.h"
#include "../common/turns.h"
#include "collectives.h"

static const char usage[] =
    "collective COLLECTIVE SECONDS REPETITIONS SIZE[,SIZE...] ALGORITHM...\n"
    "  COLLECTIVE   as in algorithms.toml, or a v- or w-form: of reduce-scatter, gather,\n"
    "               scatter or allgather with a v behind it, or alltoallw\n"
    "  SECONDS      time to spend on each size, and before it for auto to learn\n"
    "  REPETITIONS  at most so many blocks of calls for each size and algorithm\n"
    "  SIZE         bytes: of each block, in v- and w-forms of the mean one, or of the\n"
    "               vector or message; 0 for a barrier\n"
    "  ALGORITHM    what tasuki_choose() takes; MODE/ALGORITHM: in a mode that\n"
    "               tasuki_reproducible() takes";

enum { FEWEST_REPETITIONS = 9, LONGEST_NAME = 256, LONGEST_MODE = 16 };
/* Some hosts take seconds for a call where ranks share cores: so few repetitions of them. */
enum { FEWEST_SLOW_REPETITIONS = 3 };
/* Learning begins with calls of the host's own. */
enum { FEWEST_CALLS_TO_LEARN = 64 };
/* Long enough for the clock to count little; where ranks share cores, for the system's scheduler,
 * too. */
static const double block_seconds = 0.5e-3, block_seconds_sharing_cores = 20e-3;
enum { MOST_CALLS = 1024, MOST_CALLS_SHARING_CORES = 32768 };
/* Blocks grow by so much at a time: where ranks share cores one call of a host may take a
 * microsecond, and each of a thousand some milliseconds. */
static const double least_growth = 2, most_growth = 8;
/* A block that takes so many times what it should is made shorter. */
static const double much_longer = 4;
/* A single call that takes so many blocks needs none before it: how ranks begin counts little. */
static const double slow_blocks = 5;
/* After so long fewer repetitions suffice. */
static const double patience_seconds = 10;

typedef struct {
    const char* name;        /* as it was given */
    const char* choice;      /* what of it tasuki_choose() takes */
    char mode[LONGEST_MODE]; /* "" if none is to be set */
    int learns;
    int calls;              /* in a block */
    int is_slow;            /* a single call takes many blocks */
    char ran[LONGEST_NAME]; /* what Tasuki says that it ran last */
    int skipped;            /* the host's own ran instead */
} Candidate;

typedef struct {
    const Collective* collective;
    Exchange exchange;
    Control control;
    int has_modes; /* some candidate sets one: then it is off for those that set none */
    double seconds;
    int repetitions;
    int candidates;
    Candidate* candidate;
    Start start;
    long iteration; /* of all blocks so far, so that no two carry the same data */
} Benchmark;

static void fail(const Benchmark* benchmark, const Candidate* candidate, const char* what) {
    const Exchange* exchange = &benchmark->exchange;
    fprintf(stderr, "%s: rank %d of %d, %d bytes, '%s': %s\n", benchmark->collective->name,
            exchange->rank, exchange->ranks, exchange->bytes, candidate->name, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void note_what_ran(Benchmark* benchmark, Candidate* candidate) {
    snprintf(candidate->ran, LONGEST_NAME, "%s",
             ran_last(&benchmark->control, rows_of(benchmark->collective), candidate->choice));
}

static void choose(const Benchmark* benchmark, const Candidate* candidate) {
    if (benchmark->has_modes)
        choose_mode(&benchmark->control, *candidate->mode ? candidate->mode : "off");
    choose_algorithm(&benchmark->control, rows_of(benchmark->collective), candidate->choice);
}

/* Whether the host's own has run, where it should not have. Where the best is learnt it may be the
 * host's own, but not in a mode that the host does not know. */
static int is_replaced(const Candidate* candidate) {
    int may_be_native =
        strcmp(candidate->choice, "native") == 0 ||
        (candidate->learns && (!*candidate->mode || !strcmp(candidate->mode, "off")));
    return !may_be_native && strncmp(candidate->ran, "native", 6) == 0;
}

static const Direction* other_direction(const Collective* collective, const Exchange* exchange) {
    if (!collective->is_one_way) return &exchange->forth;
    return collective->has_root ? &exchange->from_last : &exchange->reversed;
}

/* Calls that are not timed come first, because ranks do not leave a barrier at the same time: one,
 * or two where calls alternate; and where ranks share cores half as many as are timed, which the
 * system's scheduler takes to find a rhythm. The last call is checked. Seconds a call of this rank.
 */
static double time_block(Benchmark* benchmark, Candidate* candidate) {
    const int calls = candidate->calls;
    const Collective* collective = benchmark->collective;
    const Exchange* exchange = &benchmark->exchange;
    const Direction* direction[] = {&exchange->forth, other_direction(collective, exchange)};
    long iteration = benchmark->iteration++;
    choose(benchmark, candidate);
    size_t blocks = collective->receives_all ? (size_t)exchange->ranks : 1;
    memset(exchange->incoming, 0, blocks * exchange->most_bytes);
    collective->fill(exchange, iteration);
    begin_together(&benchmark->start);
    int before = shares_cores(&benchmark->start) ? 2 * (1 + calls / 4) : 1 + collective->is_one_way;
    for (int i = 0; i < before && !candidate->is_slow; ++i)
        collective->call(exchange, direction[i % 2]);
    double began = MPI_Wtime();
    for (int i = 0; i < calls; ++i) collective->call(exchange, direction[i % 2]);
    double seconds = MPI_Wtime() - began;
    let_others_end(&benchmark->start);
    if (!collective->holds(exchange, direction[(calls - 1) % 2], iteration))
        fail(benchmark, candidate, "the data received is wrong");
    return seconds / calls;
}

/* By how much the calls of a block have to grow to fill one: at most 1 if they do.
 * Sets `is_slow`. */
static double growth(Benchmark* benchmark, Candidate* candidate) {
    double target = shares_cores(&benchmark->start) ? block_seconds_sharing_cores : block_seconds;
    double seconds = time_block(benchmark, candidate), slowest;
    PMPI_Allreduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    double factor = target / (slowest * candidate->calls);
    candidate->is_slow = candidate->calls == 1 && factor * slow_blocks <= 1;
    return factor;
}

/* The first calls of each algorithm: sets `ran`, `skipped` and `is_slow`. */
static void warm_up(Benchmark* benchmark) {
    for (int i = 0; i < benchmark->candidates; ++i) {
        Candidate* candidate = &benchmark->candidate[i];
        candidate->calls = benchmark->collective->is_one_way ? 2 : 1;
        growth(benchmark, candidate);
        note_what_ran(benchmark, candidate);
        int replaced = is_replaced(candidate);
        PMPI_Allreduce(&replaced, &candidate->skipped, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    }
}

/* Sets how many calls of the candidate fill a block: twice, because once may be a disturbance. */
static void size_block(Benchmark* benchmark, Candidate* candidate) {
    const int most = shares_cores(&benchmark->start) ? MOST_CALLS_SHARING_CORES : MOST_CALLS;
    candidate->calls = 1;
    double factor = 1;
    for (int filled = 0; filled < 2 && candidate->calls < most;) {
        factor = growth(benchmark, candidate);
        if (factor <= 1) {
            ++filled;
            continue;
        }
        if (factor < least_growth) factor = least_growth;
        double grown = candidate->calls * (factor < most_growth ? factor : most_growth);
        candidate->calls = grown < most ? (int)grown : most;
        filled = 0;
    }
    if (factor * much_longer <= 1) {
        double shorter = candidate->calls * factor;
        candidate->calls = shorter < 1 ? 1 : (int)shorter;
    }
}

/* Rank 0 looks at its clock and tells the others. */
static double seconds_since(double began) {
    double seconds = MPI_Wtime() - began;
    PMPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return seconds;
}

/* Sizes the blocks of all; what learns has many calls first. */
static void prepare(Benchmark* benchmark) {
    for (int i = 0; i < benchmark->candidates; ++i) {
        Candidate* candidate = &benchmark->candidate[i];
        if (candidate->skipped) continue;
        size_block(benchmark, candidate);
        if (!candidate->learns) continue;
        double began = MPI_Wtime();
        for (int calls = 0;
             seconds_since(began) < benchmark->seconds || calls < FEWEST_CALLS_TO_LEARN;
             calls += candidate->calls)
            time_block(benchmark, candidate);
        size_block(benchmark, candidate);
    }
}

/* Where ranks run ahead of each other a call takes longer in a longer block. So what takes about as
 * long as the first candidate has as many calls in a block. */
static void even_out(Benchmark* benchmark) {
    const int calls = benchmark->candidate[0].calls;
    for (int i = 1; i < benchmark->candidates; ++i) {
        Candidate* candidate = &benchmark->candidate[i];
        if (!candidate->is_slow && candidate->calls <= 2 * calls && calls <= 2 * candidate->calls)
            candidate->calls = calls;
    }
}

static void time_in_turn(Benchmark* benchmark, Candidate* candidate, double* seconds) {
    if (candidate->skipped) return;
    *seconds = time_block(benchmark, candidate);
    char before[LONGEST_NAME];
    memcpy(before, candidate->ran, sizeof before);
    note_what_ran(benchmark, candidate);
    if (!candidate->learns && strcmp(before, candidate->ran) != 0)
        fail(benchmark, candidate, "another algorithm ran than in the first call");
}

/* Sorts both: the times, and for each repetition their ratio to the first candidate's. */
static void print_row(const Benchmark* benchmark, const Candidate* candidate, double* seconds,
                      double* ratios, int repetitions) {
    printf("{\"bytes\": %d, ", benchmark->exchange.bytes);
    print_string("algorithm", candidate->name);
    printf(", ");
    print_string(candidate->skipped ? "skipped" : "ran", candidate->ran);
    if (!candidate->skipped) {
        Summary summary = summarise(seconds, repetitions);
        Summary over_first = summarise(ratios, repetitions);
        printf(
            ", \"repetitions\": %d, \"calls\": %d, \"median_seconds\": %.9g"
            ", \"minimum_seconds\": %.9g, \"spread\": %.6g"
            ", \"over_first\": %.6g, \"spread_over_first\": %.6g",
            repetitions, candidate->calls, summary.median, summary.minimum,
            relative_spread(&summary), over_first.median, relative_spread(&over_first));
    }
    printf("}\n");
    fflush(stdout);
}

static void measure(Benchmark* benchmark, int bytes) {
    int most = benchmark->repetitions;
    size_t values = (size_t)benchmark->candidates * (size_t)most;
    double* seconds = calloc(values, sizeof *seconds);
    double* slowest = calloc(values, sizeof *slowest);
    double* ratios = calloc(values, sizeof *ratios);
    const Collective* collective = benchmark->collective;
    if (!allocate_buffers(&benchmark->exchange, bytes, most_bytes(collective, bytes)) || !seconds ||
        !slowest || !ratios)
        fail(benchmark, &benchmark->candidate[0], "not enough memory");
    if (collective->is_uneven)
        lay_out_blocks(&benchmark->exchange, bytes / bytes_of_unit(collective));

    warm_up(benchmark);
    prepare(benchmark);
    even_out(benchmark);
    double began = MPI_Wtime();
    int done = 0;
    for (; done < most; ++done) {
        double spent = seconds_since(began);
        int fewest = spent < patience_seconds ? FEWEST_REPETITIONS : FEWEST_SLOW_REPETITIONS;
        if (spent >= benchmark->seconds && done >= fewest) break;
        for (int turn = 0; turn < benchmark->candidates; ++turn) {
            /* Each repetition begins with another one: what came before counts for all alike. */
            int i = (turn + done) % benchmark->candidates;
            time_in_turn(benchmark, &benchmark->candidate[i], &seconds[(size_t)i * most + done]);
        }
    }
    PMPI_Reduce(seconds, slowest, (int)values, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    for (size_t i = 0; i < values; ++i) ratios[i] = slowest[i] / slowest[i % (size_t)most];
    for (int i = 0; benchmark->exchange.rank == 0 && i < benchmark->candidates; ++i)
        print_row(benchmark, &benchmark->candidate[i], slowest + (size_t)i * most,
                  ratios + (size_t)i * most, done);

    free(seconds);
    free(slowest);
    free(ratios);
    free_buffers(&benchmark->exchange);
}

/* Whether Tasuki, where it is there, knows the collective; if not, says so. */
static int is_known(const Benchmark* benchmark) {
    const Control* control = &benchmark->control;
    if (!control->choose || control->choose(rows_of(benchmark->collective), "native") == 0)
        return 1;
    if (benchmark->exchange.rank == 0) {
        printf("{");
        print_string("unknown", control->error());
        printf("}\n");
    }
    return 0;
}

/* Whether the vectors are whole numbers of doubles, and displacements fit into an int. */
static int is_possible(const Benchmark* benchmark, int bytes) {
    if (benchmark->collective->adds && bytes % (int)sizeof(double) != 0) return 0;
    return (size_t)benchmark->exchange.ranks * most_bytes(benchmark->collective, bytes) <= INT_MAX;
}

static Candidate parse_candidate(const char* text) {
    const char* slash = strchr(text, '/');
    Candidate candidate = {.name = text, .choice = slash ? slash + 1 : text};
    if (slash && slash - text >= LONGEST_MODE) refuse_arguments(usage);
    if (slash) memcpy(candidate.mode, text, (size_t)(slash - text));
    candidate.learns = strncmp(candidate.choice, "auto", 4) == 0;
    return candidate;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    if (argc < 6 || !collective_named(argv[1])) refuse_arguments(usage);
    Benchmark benchmark = {.collective = collective_named(argv[1]),
                           .exchange = make_exchange(),
                           .control = find_control(),
                           .seconds = parse_seconds(argv[2], usage),
                           .repetitions = parse_count(argv[3], usage),
                           .start = make_start(),
                           .candidates = argc - 5,
                           .candidate = calloc((size_t)argc - 5, sizeof(Candidate))};
    for (int i = 0; i < benchmark.candidates; ++i) {
        benchmark.candidate[i] = parse_candidate(argv[5 + i]);
        benchmark.has_modes |= *benchmark.candidate[i].mode;
    }
    Sizes sizes = parse_sizes(argv[4], usage);
    for (int i = 0; i < sizes.count; ++i)
        if (!is_possible(&benchmark, sizes.bytes[i])) refuse_arguments(usage);
    if (is_known(&benchmark))
        for (int i = 0; i < sizes.count; ++i) measure(&benchmark, sizes.bytes[i]);
    free(benchmark.candidate);
    free_start(&benchmark.start);
    free_exchange(&benchmark.exchange);
    MPI_Finalize();
    return 0;
}

/* Measures P-LogP as Kielmann, Bal and Verstoep (2000) do. See README.md.
 *
 * Rank 0 describes the run in one line of JSON, then answers each line that it reads,
 * "on-node BYTES", "off-node BYTES" or "copy BYTES", by one line of JSON. Anything else, such as
 * "end", ends it; the end of its input does too, but Open MPI 5 does not hand that on. */
#define _GNU_SOURCE
#include <math.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../common/arguments.h"
#include "../common/statistics.h"

static const char usage[] =
    "plogp SECONDS [RANKS_PER_NODE]\n"
    "  SECONDS         time to spend on each answer\n"
    "  RANKS_PER_NODE  take so many ranks for a node, whatever the host says";

enum { MOST_REPETITIONS = 1000, FEWEST_REPETITIONS = 15, PILOT = 5, COPY_BLOCKS = 8 };
enum { SHORT_BURST = 20, LONG_BURST = 220, BURSTS = 25 };
enum { ON_NODE, OFF_NODE, COPY, END };

static const char* const places[] = {"on-node", "off-node", "copy"};

/* Those with whom this rank exchanges: `count` leads, who start exchanges and take the times, and
 * as many followers. */
typedef struct {
    int count; /* 0: this rank takes no part */
    int leads;
    int number;  /* among the leads or the followers */
    int* others; /* the ranks of the other side */
} Group;

typedef struct {
    int rank, ranks;
    int node, nodes;        /* this rank's, how many there are */
    int local, on_this_one; /* number on its node, ranks there */
    int most_on_a_node;
    int shares_cores; /* some rank, somewhere */
    Group group[2];   /* by place */
    int pairs[2];     /* of all ranks */
    double seconds;   /* for each answer */
    double clock;     /* what it costs to look at the clock */
    char *buffer, *other;
    int room; /* bytes that each of them has */
} Bench;

typedef struct {
    double seconds, noise, mean; /* noise: standard error */
} Value;

static double* times_of(void) {
    double* times = malloc(MOST_REPETITIONS * sizeof *times);
    if (!times) MPI_Abort(MPI_COMM_WORLD, 1);
    return times;
}

/* The median, which a disturbance now and then does not move. Where ranks share cores, that is not
 * now and then: there the lower quartile tells of ranks that run, the mean of all that wait. */
static Value value_of(const Bench* bench, double* times, int count) {
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += times[i];
    const Summary summary = summarise(times, count);
    const double range = bench->shares_cores ? 2 * (summary.median - summary.lower_quartile)
                                             : summary.upper_quartile - summary.lower_quartile;
    /* The standard error of a median of normal values, by their interquartile range. */
    return (Value){bench->shares_cores ? summary.lower_quartile : summary.median,
                   0.93 * range / sqrt(count), sum / count};
}

/* Waits for all ranks without holding a core that the ranks waited for may need. */
static void meet(void) {
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (int done = 0;;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done) return;
        nanosleep(&(struct timespec){0, 50000}, NULL);
    }
}

static void find_nodes(Bench* bench, int ranks_per_node) {
    MPI_Comm node;
    if (ranks_per_node > 0)
        MPI_Comm_split(MPI_COMM_WORLD, bench->rank / ranks_per_node, bench->rank, &node);
    else
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, bench->rank, MPI_INFO_NULL,
                            &node);
    MPI_Comm_rank(node, &bench->local);
    MPI_Comm_size(node, &bench->on_this_one);
    /* Nodes are numbered in the order of their lowest ranks. */
    int is_first = bench->local == 0, before = 0;
    MPI_Exscan(&is_first, &before, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (bench->rank == 0) before = 0;
    bench->node = before;
    MPI_Bcast(&bench->node, 1, MPI_INT, 0, node);
    MPI_Allreduce(&is_first, &bench->nodes, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&bench->on_this_one, &bench->most_on_a_node, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Comm_free(&node);
    bench->shares_cores = bench->most_on_a_node > sysconf(_SC_NPROCESSORS_ONLN);
}

/* The ranks of `node` in ascending order into `ranks`; their number. */
static int ranks_of(const int* node_of, int all, int node, int* ranks) {
    int count = 0;
    for (int rank = 0; rank < all; ++rank)
        if (node_of[rank] == node) ranks[count++] = rank;
    return count;
}

/* On a node the lower half with the upper half, which is the farthest; across nodes each even node
 * with the next, all ranks at once: they share what a node has. */
static void find_groups(Bench* bench) {
    int* node_of = malloc((size_t)bench->ranks * sizeof *node_of);
    int* here = malloc((size_t)bench->ranks * sizeof *here);
    int* there = malloc((size_t)bench->ranks * sizeof *there);
    if (!node_of || !here || !there) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Allgather(&bench->node, 1, MPI_INT, node_of, 1, MPI_INT, MPI_COMM_WORLD);
    ranks_of(node_of, bench->ranks, bench->node, here);
    const int half = bench->on_this_one / 2, is_low = bench->local < half;
    const int is_even = bench->node % 2 == 0;
    const int over = ranks_of(node_of, bench->ranks, bench->node + (is_even ? 1 : -1), there);
    const int fewer = over < bench->on_this_one ? over : bench->on_this_one;
    /* `here` lives on in the first group, `there` in the second. */
    bench->group[ON_NODE] = (Group){.count = bench->local < 2 * half ? half : 0,
                                    .leads = is_low,
                                    .number = is_low ? bench->local : bench->local - half,
                                    .others = is_low ? here + half : here};
    bench->group[OFF_NODE] = (Group){.count = bench->local < fewer ? fewer : 0,
                                     .leads = is_even,
                                     .number = bench->local,
                                     .others = there};
    free(node_of);
    for (int place = ON_NODE; place <= OFF_NODE; ++place) {
        Group* group = &bench->group[place];
        group->leads = group->leads && group->count > 0;
        MPI_Allreduce(&group->leads, &bench->pairs[place], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
}

/* With whom this rank exchanges for the `turn`-th time: always the same. Where ranks share cores,
 * one after the other: two that happen to run at the same time would be done in one turn of the
 * scheduler, which the many partners of a collective never are. */
static int partner_in(const Bench* bench, const Group* group, int turn) {
    const int shift = bench->shares_cores ? turn % group->count : 0;
    const int other = group->number + (group->leads ? shift : group->count - shift);
    return group->others[other % group->count];
}

static double clock_cost(void) {
    double times[101];
    for (int i = 0; i < 101; ++i) {
        double began = MPI_Wtime();
        times[i] = MPI_Wtime() - began;
    }
    return summarise(times, 101).median;
}

static double since(const Bench* bench, double began) {
    double seconds = MPI_Wtime() - began - bench->clock;
    return seconds > 0 ? seconds : 0;
}

/* `repetitions` times a message there and an empty one back: how long the call that starts it
 * takes, and how long until the answer is there. */
static void exchange(const Bench* bench, int place, int bytes, int repetitions, double* overhead,
                     double* round_trip) {
    const Group* group = &bench->group[place];
    for (int i = 0; i < repetitions; ++i) {
        const int partner = partner_in(bench, group, i);
        if (!group->leads) {
            MPI_Recv(bench->buffer, bytes, MPI_BYTE, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(NULL, 0, MPI_BYTE, partner, 0, MPI_COMM_WORLD);
            continue;
        }
        MPI_Request request;
        double began = MPI_Wtime();
        MPI_Isend(bench->buffer, bytes, MPI_BYTE, partner, 0, MPI_COMM_WORLD, &request);
        overhead[i] = since(bench, began);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Recv(NULL, 0, MPI_BYTE, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        round_trip[i] = since(bench, began);
    }
}

/* How long it takes to receive a message that has been there for a while. */
static void receive(const Bench* bench, int place, int bytes, int repetitions, double pause,
                    double* overhead) {
    const Group* group = &bench->group[place];
    for (int i = 0; i < repetitions; ++i) {
        const int partner = partner_in(bench, group, i);
        if (!group->leads) {
            MPI_Recv(NULL, 0, MPI_BYTE, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(bench->buffer, bytes, MPI_BYTE, partner, 0, MPI_COMM_WORLD);
            continue;
        }
        MPI_Send(NULL, 0, MPI_BYTE, partner, 0, MPI_COMM_WORLD);
        for (double began = MPI_Wtime(); MPI_Wtime() - began < pause;) sched_yield();
        double began = MPI_Wtime();
        MPI_Recv(bench->buffer, bytes, MPI_BYTE, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        overhead[i] = since(bench, began);
    }
}

/* `count` empty messages one after the other and an answer to the last. */
static double burst(const Bench* bench, int place, int count) {
    const int partner = partner_in(bench, &bench->group[place], 0);
    double began = MPI_Wtime();
    if (bench->group[place].leads) {
        for (int i = 0; i < count; ++i) MPI_Send(NULL, 0, MPI_BYTE, partner, 0, MPI_COMM_WORLD);
        MPI_Recv(NULL, 0, MPI_BYTE, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        for (int i = 0; i < count; ++i)
            MPI_Recv(NULL, 0, MPI_BYTE, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(NULL, 0, MPI_BYTE, partner, 0, MPI_COMM_WORLD);
    }
    return since(bench, began);
}

/* The time between empty messages that follow one another, which the difference of two bursts
 * gives without their begin and end. */
static void gap_of_nothing(const Bench* bench, int place, double* gaps) {
    for (int i = 0; i < BURSTS; ++i) {
        double few = burst(bench, place, SHORT_BURST), many = burst(bench, place, LONG_BURST);
        gaps[i] = many > few ? (many - few) / (LONG_BURST - SHORT_BURST) : 0;
    }
}

/* The mean of the values of `count` ranks, on rank 0; the others have zeros. */
static Value mean_over_ranks(Value mine, int count) {
    double sum[3], parts[3] = {mine.seconds, mine.noise, mine.mean};
    MPI_Reduce(parts, sum, 3, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    return (Value){sum[0] / count, sum[1] / count, sum[2] / count};
}

static void print_value(const char* name, Value value) {
    printf(", \"%s\": [%.9g, %.3g, %.9g]", name, value.seconds, value.noise, value.mean);
}

static void measure_pairs(Bench* bench, int place, int bytes) {
    const int takes_part = bench->group[place].count > 0, leads = bench->group[place].leads;
    double *send = times_of(), *trip = times_of(), *take = times_of(), *gap = times_of();
    double slowest = 0;
    meet();
    if (takes_part) exchange(bench, place, bytes, PILOT, send, trip);
    if (leads) slowest = value_of(bench, trip, PILOT).mean;
    meet();
    MPI_Allreduce(MPI_IN_PLACE, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    const double pause = slowest < 0.02 ? 2 * slowest + 5e-6 : 0.05;
    const double fitting = bench->seconds / (2 * slowest + pause + 1e-7);
    const int repetitions = fitting > MOST_REPETITIONS     ? MOST_REPETITIONS
                            : fitting < FEWEST_REPETITIONS ? FEWEST_REPETITIONS
                                                           : (int)fitting;
    if (takes_part) exchange(bench, place, bytes, repetitions, send, trip);
    meet();
    if (takes_part) receive(bench, place, bytes, repetitions, pause, take);
    meet();
    if (bytes == 0 && takes_part) gap_of_nothing(bench, place, gap);
    meet();
    const int pairs = bench->pairs[place];
    const Value none = {0, 0, 0};
    Value sent = mean_over_ranks(leads ? value_of(bench, send, repetitions) : none, pairs);
    Value taken = mean_over_ranks(leads ? value_of(bench, take, repetitions) : none, pairs);
    Value back = mean_over_ranks(leads ? value_of(bench, trip, repetitions) : none, pairs);
    Value apart = mean_over_ranks(leads && bytes == 0 ? value_of(bench, gap, BURSTS) : none, pairs);
    if (bench->rank == 0) {
        printf("{\"place\": \"%s\", \"bytes\": %d, \"repetitions\": %d", places[place], bytes,
               repetitions);
        print_value("send_overhead", sent);
        print_value("receive_overhead", taken);
        print_value("round_trip", back);
        if (bytes == 0) print_value("gap", apart);
        printf("}\n");
    }
    free(send);
    free(trip);
    free(take);
    free(gap);
}

/* All ranks copy at once: where they share cores, a copy takes as much longer as there are ranks to
 * a core, which a mean over a long time tells and a median would not. */
static void measure_copy(Bench* bench, int bytes) {
    double blocks[COPY_BLOCKS];
    meet();
    for (int block = 0; block < COPY_BLOCKS; ++block) {
        long copies = 0;
        double began = MPI_Wtime(), seconds = 0;
        while (seconds < bench->seconds / COPY_BLOCKS) {
            for (int i = 0; i < 16; ++i, ++copies) {
                memcpy(bench->other, bench->buffer, (size_t)bytes);
                __asm__ volatile("" : : "r"(bench->other) : "memory");
            }
            seconds = since(bench, began);
        }
        blocks[block] = seconds / (double)copies;
    }
    meet();
    Value mean = mean_over_ranks(value_of(bench, blocks, COPY_BLOCKS), bench->ranks);
    if (bench->rank == 0) {
        printf("{\"place\": \"copy\", \"bytes\": %d", bytes);
        print_value("copy", mean);
        printf("}\n");
    }
}

/* Room for messages of so many bytes, written once so that it is there. */
static void make_room(Bench* bench, int bytes) {
    if (bytes <= bench->room) return;
    free(bench->buffer);
    free(bench->other);
    bench->buffer = malloc((size_t)bytes);
    bench->other = malloc((size_t)bytes);
    if (!bench->buffer || !bench->other) MPI_Abort(MPI_COMM_WORLD, 1);
    memset(bench->buffer, 1, (size_t)bytes);
    memset(bench->other, 2, (size_t)bytes);
    bench->room = bytes;
}

/* What to measure next, from rank 0's input; END where that ends. The others sleep meanwhile. */
static int next_question(const Bench* bench, int* bytes) {
    int question[2] = {END, 0};
    if (bench->rank == 0) {
        char line[64], place[16];
        if (fgets(line, sizeof line, stdin) && sscanf(line, "%15s %d", place, &question[1]) == 2)
            for (int i = ON_NODE; i < END; ++i)
                if (strcmp(place, places[i]) == 0 && question[1] >= 0 && question[1] <= 1 << 30 &&
                    (i == COPY || bench->pairs[i] > 0))
                    question[0] = i;
    }
    MPI_Request request;
    MPI_Ibcast(question, 2, MPI_INT, 0, MPI_COMM_WORLD, &request);
    for (int done = 0; !done;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (!done) nanosleep(&(struct timespec){0, 50000}, NULL);
    }
    *bytes = question[1];
    return question[0];
}

static void describe(const Bench* bench) {
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(library, &length);
    printf("{\"library\": \"");
    for (const char* text = library; *text && *text != '\n'; ++text) {
        if (*text == '"' || *text == '\\') putchar('\\');
        putchar((unsigned char)*text < ' ' ? ' ' : *text);
    }
    printf(
        "\", \"ranks\": %d, \"nodes\": %d, \"ranks_per_node\": %d, \"cores\": %ld, \"pairs\": [%d, "
        "%d]}\n",
        bench->ranks, bench->nodes, bench->most_on_a_node, sysconf(_SC_NPROCESSORS_ONLN),
        bench->pairs[ON_NODE], bench->pairs[OFF_NODE]);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    if (argc < 2 || argc > 3) refuse_arguments(usage);
    Bench bench = {.seconds = parse_seconds(argv[1], usage), .clock = clock_cost()};
    MPI_Comm_rank(MPI_COMM_WORLD, &bench.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &bench.ranks);
    find_nodes(&bench, argc == 3 ? parse_count(argv[2], usage) : 0);
    find_groups(&bench);
    if (bench.rank == 0) describe(&bench);
    int bytes;
    for (int place; fflush(stdout), (place = next_question(&bench, &bytes)) != END;) {
        make_room(&bench, bytes);
        if (place == COPY)
            measure_copy(&bench, bytes);
        else
            measure_pairs(&bench, place, bytes);
    }
    free(bench.buffer);
    free(bench.other);
    MPI_Finalize();
    return 0;
}

/* Decaying two-dimensional turbulence. See README.md.
 *
 * usage: spectral GRID STEPS [FIELD_FILE] */
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flow.h"
#include "memory.h"
#include "slab.h"

typedef struct {
    int grid;
    int steps;
    const char* field_file; /* NULL: the field is not wanted */
} Options;

static int parse_whole_number(const char* text, int minimum, int maximum, int* value) {
    char* end;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (errno || end == text || *end || number < minimum || number > maximum) return 0;
    *value = (int)number;
    return 1;
}

/* NULL if the arguments can be used, else what was expected of them. */
static const char* parse_options(int argc, char** argv, int ranks, Options* options) {
    static char message[160];
    if (argc < 3 || argc > 4) return "usage: spectral GRID STEPS [FIELD_FILE]";
    if (!parse_whole_number(argv[1], 8, 16384, &options->grid) ||
        (options->grid & (options->grid - 1)) != 0)
        return "GRID must be a power of two from 8 to 16384, such as 128";
    if (!parse_whole_number(argv[2], 0, INT_MAX, &options->steps))
        return "STEPS must be a whole number from 0 on, such as 400";
    if (options->grid % ranks != 0) {
        snprintf(message, sizeof message,
                 "the number of ranks (%d) must divide GRID (%d): use a power of two", ranks,
                 options->grid);
        return message;
    }
    options->field_file = argc == 4 ? argv[3] : NULL;
    return NULL;
}

/* A sum over the bits of all values and their places: equal if and only if (but for accidents)
 * every bit of the field is, whatever the number of ranks. Known to rank 0 only. */
static uint64_t checksum(const Slab* slab, const double* values) {
    uint64_t here = 0, sum = 0;
    uint64_t place = (uint64_t)slab->first_row * (uint64_t)slab->grid;
    for (long i = 0; i < (long)slab->rows * slab->grid; ++i) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        bits ^= (place + (uint64_t)i) * 0x9e3779b97f4a7c15u;
        bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
        bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
        here += bits ^ bits >> 31;
    }
    MPI_Reduce(&here, &sum, 1, MPI_UINT64_T, MPI_SUM, 0, slab->communicator);
    return sum;
}

/* Writes the whole field as doubles of this machine, row by row. 1 on every rank if it worked. */
static int write_field(const Slab* slab, const double* values, const char* path) {
    int count = slab->rows * slab->grid;
    double* whole = slab->rank == 0 ? allocate((size_t)slab->ranks, count * sizeof *whole) : NULL;
    MPI_Gather(values, count, MPI_DOUBLE, whole, count, MPI_DOUBLE, 0, slab->communicator);
    int written = 1;
    if (slab->rank == 0) {
        size_t all = (size_t)count * (size_t)slab->ranks;
        FILE* file = fopen(path, "wb");
        written = file && fwrite(whole, sizeof *whole, all, file) == all;
        if (file && fclose(file) != 0) written = 0;
        if (!written) fprintf(stderr, "spectral: cannot write %s: %s\n", path, strerror(errno));
        free(whole);
    }
    MPI_Bcast(&written, 1, MPI_INT, 0, slab->communicator);
    return written;
}

static void print_invariants(const Flow* flow, int step) {
    Invariants now = flow_invariants(flow);
    if (flow->slab->rank == 0)
        printf("%8d %10.4f   %.8e  %.8e\n", step, step * flow->time_step, now.energy,
               now.enstrophy);
}

/* The time of the slowest rank, in seconds. Known to rank 0 only. */
static double slowest(const Slab* slab, double seconds) {
    double all = 0.0;
    MPI_Reduce(&seconds, &all, 1, MPI_DOUBLE, MPI_MAX, 0, slab->communicator);
    return all;
}

static int simulate(const Options* options) {
    Slab slab = slab_create(MPI_COMM_WORLD, options->grid);
    Flow flow = flow_create(&slab);
    if (slab.rank == 0) {
        printf("grid %d x %d, %d ranks, %zu bytes from each rank to each in a transpose\n",
               slab.grid, slab.grid, slab.ranks,
               (size_t)slab.rows * (size_t)slab.rows * sizeof(double complex));
        printf("    step       time   energy          enstrophy\n");
    }

    slab.transpose_seconds = slab.alltoall_seconds = 0.0;
    slab.transposes = 0;
    int interval = options->steps >= 4 ? options->steps / 4 : 1;
    MPI_Barrier(slab.communicator);
    double began = MPI_Wtime(), half_way = began;
    for (int step = 0; step < options->steps; ++step) {
        if (step == options->steps / 2) half_way = MPI_Wtime();
        if (step % interval == 0) print_invariants(&flow, step);
        flow_advance(&flow);
    }
    print_invariants(&flow, options->steps);
    double ended = MPI_Wtime();
    double run = slowest(&slab, ended - began);
    double latter = slowest(&slab, ended - half_way);
    double transposes = slowest(&slab, slab.transpose_seconds);
    double alltoall = slowest(&slab, slab.alltoall_seconds);
    long count = slab.transposes;

    double* values = allocate((size_t)slab.rows, (size_t)slab.grid * sizeof *values);
    flow_vorticity(&flow, values);
    uint64_t sum = checksum(&slab, values);
    if (slab.rank == 0) {
        printf("run        %.6f s\n", run);
        printf("latter     %.6f s (%d)\n", latter, options->steps - options->steps / 2);
        printf("transposes %.6f s (%ld)\n", transposes, count);
        printf("alltoall   %.6f s\n", alltoall);
        printf("checksum   %016llx\n", (unsigned long long)sum);
    }
    int written = !options->field_file || write_field(&slab, values, options->field_file);
    free(values);
    flow_free(&flow);
    slab_free(&slab);
    return written ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    Options options;
    const char* wrong = parse_options(argc, argv, ranks, &options);
    if (wrong && rank == 0) fprintf(stderr, "spectral: %s\n", wrong);
    int exit_code = wrong ? 2 : simulate(&options);
    MPI_Finalize();
    return exit_code;
}

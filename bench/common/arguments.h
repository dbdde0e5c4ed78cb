/* The arguments of the benchmark programs. The command line has checked what users wrote. */
#pragma once

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_SIZES = 64 };

typedef struct {
    int count;
    int bytes[MOST_SIZES];
} Sizes;

static inline void refuse_arguments(const char* usage) {
    fprintf(stderr, "usage: %s\n", usage);
    MPI_Abort(MPI_COMM_WORLD, 2);
}

/* "64,128": whole numbers of bytes; 0 for what has no data. */
static inline Sizes parse_sizes(const char* text, const char* usage) {
    Sizes sizes = {0};
    for (char* end; *text; text = *end == ',' ? end + 1 : end) {
        long value = strtol(text, &end, 10);
        if (end == text || (*end && *end != ',') || value < 0 || value > 1 << 30 ||
            sizes.count == MOST_SIZES)
            refuse_arguments(usage);
        sizes.bytes[sizes.count++] = (int)value;
    }
    return sizes;
}

static inline double parse_seconds(const char* text, const char* usage) {
    char* end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value > 0)) refuse_arguments(usage);
    return value;
}

static inline int parse_count(const char* text, const char* usage) {
    char* end;
    long value = strtol(text, &end, 10);
    if (end == text || *end || value < 1 || value > 10000000) refuse_arguments(usage);
    return (int)value;
}

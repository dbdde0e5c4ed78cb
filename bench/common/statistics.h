/* Order statistics of times. */
#pragma once

#include <stdlib.h>

typedef struct {
    double minimum, lower_quartile, median, upper_quartile; /* seconds */
} Summary;

static inline int compare_seconds(const void* left, const void* right) {
    double difference = *(const double*)left - *(const double*)right;
    return (difference > 0) - (difference < 0);
}

/* The value below which the part `part` of the sorted values lies, interpolated. */
static inline double quantile(const double* sorted, int count, double part) {
    double place = part * (count - 1);
    int below = (int)place;
    int above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
}

/* Sorts `values`; there is at least one. */
static inline Summary summarise(double* values, int count) {
    qsort(values, (size_t)count, sizeof *values, compare_seconds);
    return (Summary){values[0], quantile(values, count, 0.25), quantile(values, count, 0.5),
                     quantile(values, count, 0.75)};
}

/* Interquartile range over median. */
static inline double relative_spread(const Summary* summary) {
    return (summary->upper_quartile - summary->lower_quartile) / summary->median;
}

/* Vectors whose sums are exact in any order, and tell whose parts they are made of. */
#pragma once

#include <stddef.h>

enum { VECTOR_PERIOD = 61 }; /* no multiple of a block's length, so that moved blocks are seen */

/* By how much the vector of a rank is longer than that of another. */
static inline double vector_weight(int rank) {
    return (rank + 1.0) * (rank + 1.0);
}

static inline double vector_value(double weight, size_t place, long iteration) {
    return weight * (double)(1 + (place + (size_t)iteration) % VECTOR_PERIOD);
}

static inline void vector_fill(double* vector, size_t count, double weight, long iteration) {
    for (size_t i = 0; i < count; ++i) vector[i] = vector_value(weight, i, iteration);
}

/* Whether `vector` is what stands from `begin` on in the sum of vectors of `weight` together. */
static inline int vector_holds(const double* vector, size_t begin, size_t count, double weight,
                               long iteration) {
    int wrong = 0;
    for (size_t i = 0; i < count; ++i)
        wrong |= vector[i] != vector_value(weight, begin + i, iteration);
    return !wrong;
}

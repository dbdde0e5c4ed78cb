/* Complex fast Fourier transforms of one length, a power of two. */
#pragma once

#include <complex.h>

typedef enum { FORWARD = -1, INVERSE = 1 } Direction;

typedef struct {
    int length;
    int* reversed;            /* [length] index with its bits in reverse order */
    double complex* twiddles; /* [length / 2] exp(-2 pi i k / length) */
} FourierPlan;

FourierPlan fourier_plan(int length);
void fourier_free(FourierPlan* plan);

/* Transforms `count` contiguous rows in place. Neither direction scales. */
void fourier_rows(const FourierPlan* plan, double complex* rows, int count, Direction direction);

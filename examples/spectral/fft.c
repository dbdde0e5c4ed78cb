#include "fft.h"

#include <math.h>

#include "memory.h"

static const double pi = 3.14159265358979323846;

FourierPlan fourier_plan(int length) {
    FourierPlan plan = {length, allocate((size_t)length, sizeof *plan.reversed),
                        allocate((size_t)length / 2 + 1, sizeof *plan.twiddles)};
    for (int i = 1; i < length; ++i)
        plan.reversed[i] = plan.reversed[i / 2] / 2 + (i % 2) * (length / 2);
    for (int k = 0; k < length / 2; ++k) {
        double angle = -2.0 * pi * k / length;
        plan.twiddles[k] = CMPLX(cos(angle), sin(angle));
    }
    return plan;
}

void fourier_free(FourierPlan* plan) {
    free(plan->reversed);
    free(plan->twiddles);
}

/* Radix 2, decimation in time. The products are written out: `*` of C's complex numbers would look
 * for infinities at each one. */
static void transform(const FourierPlan* plan, double complex* row, Direction direction) {
    for (int i = 0; i < plan->length; ++i) {
        int j = plan->reversed[i];
        if (i < j) {
            double complex kept = row[i];
            row[i] = row[j];
            row[j] = kept;
        }
    }
    for (int half = 1; half < plan->length; half *= 2) {
        int stride = plan->length / (2 * half);
        for (int begin = 0; begin < plan->length; begin += 2 * half) {
            for (int k = 0; k < half; ++k) {
                double c = creal(plan->twiddles[k * stride]);
                double s = -direction * cimag(plan->twiddles[k * stride]);
                double complex* upper = row + begin + k;
                double complex* lower = upper + half;
                double complex turned = CMPLX(creal(*lower) * c - cimag(*lower) * s,
                                              creal(*lower) * s + cimag(*lower) * c);
                *lower = *upper - turned;
                *upper = *upper + turned;
            }
        }
    }
}

void fourier_rows(const FourierPlan* plan, double complex* rows, int count, Direction direction) {
    for (int row = 0; row < count; ++row)
        transform(plan, rows + (size_t)row * plan->length, direction);
}

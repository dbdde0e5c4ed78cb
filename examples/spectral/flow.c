#include "flow.h"

#include <math.h>
#include <string.h>

#include "memory.h"

static long points(const Flow* flow) {
    return (long)flow->slab->rows * flow->slab->grid;
}

/* 0, 1, ..., grid / 2 - 1, -grid / 2, ..., -1 */
static int wave_number(const Slab* slab, int index) {
    return index < slab->grid / 2 ? index : index - slab->grid;
}

static int is_kept(const Slab* slab, int kx, int ky) {
    return (kx || ky) && 3 * abs(kx) < slab->grid && 3 * abs(ky) < slab->grid;
}

/* A number in [0, 1) that depends on the wave number alone (SplitMix64). */
static double random_phase(int kx, int ky) {
    uint64_t bits = ((uint64_t)(uint32_t)kx << 32 | (uint32_t)ky) + 0x9e3779b97f4a7c15u;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
    return (double)((bits ^ bits >> 31) >> 11) * 0x1p-53;
}

/* Energy spectrum k / (1 + (k / 6)^4), as McWilliams (1984); opposite wave numbers have conjugate
 * coefficients because the vorticity is real. */
static double complex initial_coefficient(int kx, int ky) {
    int mirrored = kx < 0 || (kx == 0 && ky < 0);
    double phase = 2.0 * M_PI * (mirrored ? random_phase(-kx, -ky) : random_phase(kx, ky));
    double square = (double)(kx * kx + ky * ky);
    double amplitude = sqrt(square / (1.0 + square * square / (6.0 * 6.0 * 6.0 * 6.0)));
    return CMPLX(amplitude * cos(phase), (mirrored ? -1.0 : 1.0) * amplitude * sin(phase));
}

/* u + iv = (kx + i ky) w / k^2 and dw/dx + i dw/dy = i (kx + i ky) w: two real fields in one
 * complex transform each. */
static void velocity_and_gradient(Flow* flow, const double complex* vorticity) {
    Slab* slab = flow->slab;
    for (int row = 0; row < slab->rows; ++row) {
        int kx = wave_number(slab, slab->first_row + row);
        for (int column = 0; column < slab->grid; ++column) {
            int ky = wave_number(slab, column);
            long i = (long)row * slab->grid + column;
            double re = creal(vorticity[i]), im = cimag(vorticity[i]);
            double complex turned = CMPLX(kx * re - ky * im, kx * im + ky * re);
            flow->velocity[i] = is_kept(slab, kx, ky) ? turned / (double)(kx * kx + ky * ky) : 0.0;
            flow->gradient[i] = CMPLX(-cimag(turned), creal(turned));
        }
    }
    slab_to_physical(slab, flow->velocity);
    slab_to_physical(slab, flow->gradient);
}

/* flow->slope = the time derivative of `vorticity`. */
static void find_slope(Flow* flow, const double complex* vorticity) {
    Slab* slab = flow->slab;
    velocity_and_gradient(flow, vorticity);
    for (long i = 0; i < points(flow); ++i)
        flow->slope[i] = -(creal(flow->velocity[i]) * creal(flow->gradient[i]) +
                           cimag(flow->velocity[i]) * cimag(flow->gradient[i]));
    slab_to_fourier(slab, flow->slope);
    for (int row = 0; row < slab->rows; ++row) {
        int kx = wave_number(slab, slab->first_row + row);
        for (int column = 0; column < slab->grid; ++column) {
            int ky = wave_number(slab, column);
            long i = (long)row * slab->grid + column;
            double damping = flow->viscosity * (kx * kx + ky * ky);
            flow->slope[i] = is_kept(slab, kx, ky) ? flow->slope[i] - damping * vorticity[i] : 0.0;
        }
    }
}

static double fastest(Flow* flow) {
    velocity_and_gradient(flow, flow->vorticity);
    double here = 0.0, everywhere;
    for (long i = 0; i < points(flow); ++i) {
        double u = creal(flow->velocity[i]), v = cimag(flow->velocity[i]);
        here = fmax(here, sqrt(u * u + v * v));
    }
    MPI_Allreduce(&here, &everywhere, 1, MPI_DOUBLE, MPI_MAX, flow->slab->communicator);
    return everywhere;
}

Flow flow_create(Slab* slab) {
    double grid = slab->grid;
    Flow flow = {.slab = slab,
                 .viscosity = 20.0 / (grid * grid),
                 .time_step = 0.5 * 2.0 * M_PI / grid,
                 .vorticity = slab_field(slab),
                 .velocity = slab_field(slab),
                 .gradient = slab_field(slab),
                 .stage = slab_field(slab),
                 .slope = slab_field(slab),
                 .total = slab_field(slab)};
    for (int row = 0; row < slab->rows; ++row) {
        int kx = wave_number(slab, slab->first_row + row);
        for (int column = 0; column < slab->grid; ++column) {
            int ky = wave_number(slab, column);
            if (is_kept(slab, kx, ky))
                flow.vorticity[(long)row * slab->grid + column] = initial_coefficient(kx, ky);
        }
    }
    double scale = 1.0 / fastest(&flow);
    for (long i = 0; i < points(&flow); ++i) flow.vorticity[i] *= scale;
    return flow;
}

void flow_free(Flow* flow) {
    free(flow->vorticity);
    free(flow->velocity);
    free(flow->gradient);
    free(flow->stage);
    free(flow->slope);
    free(flow->total);
}

void flow_advance(Flow* flow) {
    static const double weights[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    static const double next_stage[3] = {0.5, 0.5, 1.0};
    size_t bytes = (size_t)points(flow) * sizeof *flow->stage;
    memcpy(flow->stage, flow->vorticity, bytes);
    memcpy(flow->total, flow->vorticity, bytes);
    for (int s = 0; s < 4; ++s) {
        find_slope(flow, flow->stage);
        for (long i = 0; i < points(flow); ++i) {
            double complex change = flow->time_step * flow->slope[i];
            flow->total[i] += weights[s] * change;
            if (s < 3) flow->stage[i] = flow->vorticity[i] + next_stage[s] * change;
        }
    }
    memcpy(flow->vorticity, flow->total, bytes);
}

Invariants flow_invariants(const Flow* flow) {
    const Slab* slab = flow->slab;
    double here[2] = {0.0, 0.0}, sum[2] = {0.0, 0.0};
    for (int row = 0; row < slab->rows; ++row) {
        int kx = wave_number(slab, slab->first_row + row);
        for (int column = 0; column < slab->grid; ++column) {
            int ky = wave_number(slab, column);
            if (!is_kept(slab, kx, ky)) continue;
            double complex w = flow->vorticity[(long)row * slab->grid + column];
            double half_square = 0.5 * (creal(w) * creal(w) + cimag(w) * cimag(w));
            here[0] += half_square / (kx * kx + ky * ky);
            here[1] += half_square;
        }
    }
    MPI_Reduce(here, sum, 2, MPI_DOUBLE, MPI_SUM, 0, slab->communicator);
    return (Invariants){.energy = sum[0], .enstrophy = sum[1]};
}

void flow_vorticity(Flow* flow, double* values) {
    memcpy(flow->stage, flow->vorticity, (size_t)points(flow) * sizeof *flow->stage);
    slab_to_physical(flow->slab, flow->stage);
    for (long i = 0; i < points(flow); ++i) values[i] = creal(flow->stage[i]);
}

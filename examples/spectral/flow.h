/* Two-dimensional incompressible Navier-Stokes equations in vorticity form,
 *
 *     dw/dt + u dw/dx + v dw/dy = viscosity * (d2w/dx2 + d2w/dy2),
 *
 * on the periodic square of side 2 pi. The state is the vorticity's Fourier coefficients
 * [kx][ky]; products are formed in physical space, with the upper third of the wave numbers kept
 * empty so that they are free of aliasing. */
#pragma once

#include <stdint.h>

#include "slab.h"

typedef struct {
    Slab* slab;
    double viscosity;
    double time_step;
    double complex* vorticity;             /* the state */
    double complex *velocity, *gradient;   /* u + iv and dw/dx + i dw/dy, while a slope is made */
    double complex *stage, *slope, *total; /* of Runge and Kutta */
} Flow;

typedef struct {
    double energy;    /* mean of (u^2 + v^2) / 2 */
    double enstrophy; /* mean of w^2 / 2 */
} Invariants;

/* Random vortices whose energy is greatest near wave number 6 and whose fastest point has speed 1;
 * equal for every number of ranks. */
Flow flow_create(Slab* slab);
void flow_free(Flow* flow);

/* One step of the classical fourth-order Runge-Kutta method. */
void flow_advance(Flow* flow);

/* Known to rank 0 only. */
Invariants flow_invariants(const Flow* flow);

/* The vorticity in this rank's rows of physical space, [rows * grid], into `values`. */
void flow_vorticity(Flow* flow, double* values);

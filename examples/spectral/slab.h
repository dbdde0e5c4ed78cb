/* Two-dimensional transforms of a square field that is cut into slabs, one for each rank.
 *
 * A rank holds rows of the field: in Fourier space `rows` wave numbers kx with all ky, in physical
 * space `rows` lines of constant y with all x. On the way the field is transposed: each rank sends
 * a block of rows x rows numbers to every other one, by MPI_Alltoall. */
#pragma once

#include <complex.h>
#include <mpi.h>

#include "fft.h"

typedef struct {
    MPI_Comm communicator;
    int rank, ranks;
    int grid;      /* points in each direction; a multiple of the number of ranks */
    int rows;      /* of this rank: grid / ranks */
    int first_row; /* of this rank */
    FourierPlan plan;
    double complex *outgoing, *incoming; /* [rows * grid] what MPI_Alltoall sends, receives */
    double transpose_seconds, alltoall_seconds; /* so far: whole transposes, MPI_Alltoall alone */
    long transposes;                            /* so far */
} Slab;

Slab slab_create(MPI_Comm communicator, int grid);
void slab_free(Slab* slab);

/* A new field of this rank's size, zero everywhere. */
double complex* slab_field(const Slab* slab);

/* Fourier coefficients [kx][ky] to values [y][x], in place. */
void slab_to_physical(Slab* slab, double complex* field);
/* Values [y][x] to Fourier coefficients [kx][ky], in place; inverse of slab_to_physical(). */
void slab_to_fourier(Slab* slab, double complex* field);

#include "slab.h"

#include "memory.h"

Slab slab_create(MPI_Comm communicator, int grid) {
    Slab slab = {.communicator = communicator, .grid = grid, .plan = fourier_plan(grid)};
    MPI_Comm_rank(communicator, &slab.rank);
    MPI_Comm_size(communicator, &slab.ranks);
    slab.rows = grid / slab.ranks;
    slab.first_row = slab.rank * slab.rows;
    slab.outgoing = slab_field(&slab);
    slab.incoming = slab_field(&slab);
    return slab;
}

void slab_free(Slab* slab) {
    fourier_free(&slab->plan);
    free(slab->outgoing);
    free(slab->incoming);
}

double complex* slab_field(const Slab* slab) {
    return allocate((size_t)slab->rows * slab->grid, sizeof(double complex));
}

/* Row j of the result is column first_row + j of the whole field. */
static void transpose(Slab* slab, double complex* field) {
    double began = MPI_Wtime();
    int rows = slab->rows, grid = slab->grid;

    /* The block for each rank, already turned, so that it is received as rows. */
    double complex* next = slab->outgoing;
    for (int to = 0; to < slab->ranks; ++to)
        for (int column = to * rows; column < (to + 1) * rows; ++column)
            for (int row = 0; row < rows; ++row) *next++ = field[(size_t)row * grid + column];

    double called = MPI_Wtime();
    MPI_Alltoall(slab->outgoing, rows * rows, MPI_C_DOUBLE_COMPLEX, slab->incoming, rows * rows,
                 MPI_C_DOUBLE_COMPLEX, slab->communicator);
    slab->alltoall_seconds += MPI_Wtime() - called;

    next = slab->incoming;
    for (int from = 0; from < slab->ranks; ++from)
        for (int row = 0; row < rows; ++row)
            for (int column = from * rows; column < (from + 1) * rows; ++column)
                field[(size_t)row * grid + column] = *next++;

    slab->transpose_seconds += MPI_Wtime() - began;
    ++slab->transposes;
}

void slab_to_physical(Slab* slab, double complex* field) {
    fourier_rows(&slab->plan, field, slab->rows, INVERSE);
    transpose(slab, field);
    fourier_rows(&slab->plan, field, slab->rows, INVERSE);
}

void slab_to_fourier(Slab* slab, double complex* field) {
    fourier_rows(&slab->plan, field, slab->rows, FORWARD);
    transpose(slab, field);
    fourier_rows(&slab->plan, field, slab->rows, FORWARD);
    double scale = 1.0 / ((double)slab->grid * slab->grid);
    for (long i = 0; i < (long)slab->rows * slab->grid; ++i) field[i] *= scale;
}

/* Elements and operations of the tests of reductions, and what they come to in the canonical tree.
 */
#pragma once

#include "check.h"

enum { largest_element = 32, kinds = 7 };

struct kind {
    const char* name;
    MPI_Datatype type;
    MPI_Op operation;
    size_t bytes;
    int is_associative; /* to the last bit */
    int is_float_sum;   /* has exact sums */
    /* What `rank` gives at `index`. */
    void (*fill)(unsigned char* element, int rank, int index);
    /* right = left op right */
    void (*combine)(const unsigned char* left, unsigned char* right);
    size_t gap_first, gap_end; /* bytes that are no data */
};
static struct kind all_kinds[kinds];

/* Numbers of all sizes, of which many cancel: order tells in the last bits, or in all. */
static double wild(int rank, int index) {
    uint32_t bits = mix(rank, index, 7, 1);
    double digits =
        1 + mix(rank, index, 7, 2) / 4294967296.0 + mix(rank, index, 7, 3) / 1.8446744e19;
    int exponent = (int)(bits % 61) - 30;
    double value = digits;
    for (; exponent > 0; --exponent) value *= 2;
    for (; exponent < 0; ++exponent) value /= 2;
    return bits >> 31 ? -value : value;
}

/* The last digits hang on the order, but nothing overflows. */
static double near_one(int rank, int index) {
    return 0.75 + mix(rank, index, 8, 1) / 8589934592.0;
}

static void fill_double(unsigned char* element, int rank, int index) {
    double value = wild(rank, index);
    memcpy(element, &value, sizeof value);
}
static void fill_factor(unsigned char* element, int rank, int index) {
    double value = near_one(rank, index);
    memcpy(element, &value, sizeof value);
}
static void fill_float(unsigned char* element, int rank, int index) {
    float value = (float)wild(rank, index);
    memcpy(element, &value, sizeof value);
}
static void fill_complex(unsigned char* element, int rank, int index) {
    double value[2] = {wild(rank, 2 * index), wild(rank, 2 * index + 1)};
    memcpy(element, value, sizeof value);
}
static void fill_int(unsigned char* element, int rank, int index) {
    int value = (int)mix(rank, index, 9, 1) / 64;
    memcpy(element, &value, sizeof value);
}
static void fill_located(unsigned char* element, int rank, int index) {
    double value = (double)(mix(rank, index, 10, 1) % 3);
    memcpy(element, &value, sizeof value);
    memcpy(element + sizeof value, &rank, sizeof rank);
}
static void fill_matrix(unsigned char* element, int rank, int index) {
    uint32_t matrix[4];
    for (int i = 0; i < 4; ++i) matrix[i] = mix(rank, index, 11, i);
    memcpy(element, matrix, sizeof matrix);
}

#define DEFINE_COMBINE(name, number, expression)                        \
    static void name(const unsigned char* left, unsigned char* right) { \
        number a, b;                                                    \
        memcpy(&a, left, sizeof a);                                     \
        memcpy(&b, right, sizeof b);                                    \
        b = expression;                                                 \
        memcpy(right, &b, sizeof b);                                    \
    }
DEFINE_COMBINE(add_double, double, a + b)
DEFINE_COMBINE(multiply_double, double, a* b)
DEFINE_COMBINE(add_float, float, a + b)
DEFINE_COMBINE(add_int, int, a + b)

static void add_complex(const unsigned char* left, unsigned char* right) {
    add_double(left, right);
    add_double(left + sizeof(double), right + sizeof(double));
}
static void less_located(const unsigned char* left, unsigned char* right) {
    double a, b;
    int i, j;
    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    memcpy(&i, left + sizeof a, sizeof i);
    memcpy(&j, right + sizeof b, sizeof j);
    if (a < b || (a == b && i < j)) memcpy(right, left, sizeof a + sizeof i);
}
/* Matrices of 2 x 2 whole numbers: their product does not commute, and is associative. */
static void multiply_matrices(const unsigned char* left, unsigned char* right) {
    uint32_t a[4], b[4];
    memcpy(a, left, sizeof a);
    memcpy(b, right, sizeof b);
    uint32_t c[4] = {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3],
                     a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]};
    memcpy(right, c, sizeof c);
}
static void matrix_operation(void* in, void* inout, int* length, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *length; ++i) {
        multiply_matrices((unsigned char*)in + 16 * i, (unsigned char*)inout + 16 * i);
    }
}

static void make_kinds(void) {
    MPI_Datatype matrix;
    MPI_Op product;
    MPI_Type_contiguous(4, MPI_UNSIGNED, &matrix);
    MPI_Type_commit(&matrix);
    MPI_Op_create(matrix_operation, 0, &product);
    const struct kind made[kinds] = {
        {"sum of doubles", MPI_DOUBLE, MPI_SUM, 8, 0, 1, fill_double, add_double, 0, 0},
        {"product of matrices", matrix, product, 16, 1, 0, fill_matrix, multiply_matrices, 0, 0},
        {"product of doubles", MPI_DOUBLE, MPI_PROD, 8, 0, 0, fill_factor, multiply_double, 0, 0},
        {"sum of floats", MPI_FLOAT, MPI_SUM, 4, 0, 1, fill_float, add_float, 0, 0},
        {"sum of complex", MPI_C_DOUBLE_COMPLEX, MPI_SUM, 16, 0, 1, fill_complex, add_complex, 0,
         0},
        {"sum of ints", MPI_INT, MPI_SUM, 4, 1, 0, fill_int, add_int, 0, 0},
        {"minimum with place", MPI_DOUBLE_INT, MPI_MINLOC, 16, 1, 0, fill_located, less_located, 12,
         16},
    };
    memcpy(all_kinds, made, sizeof made);
}

static void free_kinds(void) {
    MPI_Op_free(&all_kinds[1].operation);
    MPI_Type_free(&all_kinds[1].type);
}

/* What `ranks` ranks from `first` on come to at `index`: both sides of the largest power of two
 * below their number, and so both of these. */
static void canonical(const struct kind* kind, int first, int ranks, int index,
                      unsigned char* result) {
    memset(result, 0, largest_element);
    if (ranks == 1) {
        kind->fill(result, first, index);
        return;
    }
    unsigned char left[largest_element];
    int half = 1;
    while (2 * half < ranks) half *= 2;
    canonical(kind, first, half, index, left);
    canonical(kind, first + half, ranks - half, index, result);
    kind->combine(left, result);
}

static int same_element(const struct kind* kind, const unsigned char* a, const unsigned char* b) {
    size_t data = kind->gap_end > kind->gap_first ? kind->gap_first : kind->bytes;
    return memcmp(a, b, data) == 0;
}

#include "layouts.h"

static const MPI_Aint int_bytes = (MPI_Aint)sizeof(int);

#define PLACES(...) \
    (const int[]) { \
        __VA_ARGS__ \
    }
#define INTS(layout, ...) \
    add_ints(&(layout), (int)(sizeof(PLACES(__VA_ARGS__)) / sizeof(int)), PLACES(__VA_ARGS__))

static struct layout contiguous(void) {
    MPI_Datatype type;
    MPI_Type_contiguous(3, MPI_INT, &type);
    struct layout layout = make_layout("contiguous", type, 0, 3 * int_bytes);
    INTS(layout, 0, 1, 2);
    return layout;
}

static struct layout vector(void) {
    MPI_Datatype type;
    MPI_Type_vector(2, 2, 3, MPI_INT, &type);
    struct layout layout = make_layout("vector", type, 0, 5 * int_bytes);
    INTS(layout, 0, 1, 3, 4);
    return layout;
}

static struct layout indexed(void) {
    MPI_Datatype type;
    MPI_Type_indexed(3, PLACES(2, 1, 3), PLACES(0, 4, 6), MPI_INT, &type);
    struct layout layout = make_layout("indexed with gaps", type, 0, 9 * int_bytes);
    INTS(layout, 0, 1, 4, 6, 7, 8);
    return layout;
}

static struct layout indexed_backwards(void) {
    MPI_Datatype type;
    MPI_Type_indexed(2, PLACES(1, 2), PLACES(5, 0), MPI_INT, &type);
    struct layout layout = make_layout("indexed backwards", type, 0, 6 * int_bytes);
    INTS(layout, 5, 0, 1);
    return layout;
}

static struct layout indexed_block(void) {
    MPI_Datatype type;
    MPI_Type_create_indexed_block(3, 2, PLACES(0, 5, 2), MPI_INT, &type);
    struct layout layout = make_layout("indexed block", type, 0, 7 * int_bytes);
    INTS(layout, 0, 1, 5, 6, 2, 3);
    return layout;
}

static struct layout resized(void) {
    MPI_Datatype type, wide;
    MPI_Type_vector(2, 1, 2, MPI_INT, &type);
    MPI_Type_create_resized(type, 0, 7 * int_bytes, &wide);
    MPI_Type_free(&type);
    struct layout layout = make_layout("resized", wide, 0, 7 * int_bytes);
    INTS(layout, 0, 2);
    return layout;
}

static struct layout negative_lower_bound(void) {
    MPI_Datatype type;
    const MPI_Aint places[] = {-2 * int_bytes, int_bytes};
    MPI_Type_create_hindexed(2, PLACES(1, 1), places, MPI_INT, &type);
    struct layout layout = make_layout("negative lower bound", type, 0, 4 * int_bytes);
    INTS(layout, -2, 1);
    return layout;
}

static struct layout resized_below(void) {
    MPI_Datatype type, wide;
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_create_resized(type, -3 * int_bytes, 6 * int_bytes, &wide);
    MPI_Type_free(&type);
    struct layout layout = make_layout("resized to a negative lower bound", wide, 0, 6 * int_bytes);
    INTS(layout, 0, 1);
    return layout;
}

static struct layout negative_stride(void) {
    MPI_Datatype type;
    MPI_Type_create_hvector(3, 1, -2 * int_bytes, MPI_INT, &type);
    struct layout layout = make_layout("negative stride", type, 0, 5 * int_bytes);
    INTS(layout, 0, -2, -4);
    return layout;
}

static struct layout copied_vector(void) {
    struct layout layout = vector();
    MPI_Datatype type;
    MPI_Type_dup(layout.type, &type);
    MPI_Type_free(&layout.type);
    layout.type = type;
    layout.name = "dup of a vector";
    return layout;
}

static struct layout copied_int(void) {
    MPI_Datatype type;
    MPI_Type_dup(MPI_INT, &type);
    struct layout layout = make_layout("dup of MPI_INT", type, 0, int_bytes);
    INTS(layout, 0);
    return layout;
}

static struct layout structure(void) {
    MPI_Datatype pieces[3] = {MPI_INT, MPI_DATATYPE_NULL, MPI_INT}, type;
    const MPI_Aint places[3] = {0, 2 * int_bytes, 6 * int_bytes};
    MPI_Type_vector(2, 1, 2, MPI_INT, &pieces[1]);
    MPI_Type_create_struct(3, PLACES(1, 1, 1), places, pieces, &type);
    MPI_Type_free(&pieces[1]);
    struct layout layout = make_layout("struct", type, 0, 7 * int_bytes);
    INTS(layout, 0, 2, 4, 6);
    return layout;
}

static struct layout subarray(void) {
    MPI_Datatype type;
    MPI_Type_create_subarray(2, PLACES(3, 4), PLACES(2, 2), PLACES(1, 1), MPI_ORDER_C, MPI_INT,
                             &type);
    struct layout layout = make_layout("subarray", type, 0, 12 * int_bytes);
    INTS(layout, 5, 6, 9, 10);
    return layout;
}

static struct layout nested(void) {
    struct layout inner = indexed();
    MPI_Datatype type;
    MPI_Type_vector(2, 1, 2, inner.type, &type);
    free_layout(&inner);
    struct layout layout = make_layout("vector of indexed", type, 0, 27 * int_bytes);
    INTS(layout, 0, 1, 4, 6, 7, 8, 18, 19, 22, 24, 25, 26);
    return layout;
}

/* The elements of a column of a matrix: neighbouring elements are interleaved. */
static struct layout column(long elements) {
    MPI_Datatype type, narrow;
    MPI_Type_create_hvector(2, 1, elements * int_bytes, MPI_INT, &type);
    MPI_Type_create_resized(type, 0, int_bytes, &narrow);
    MPI_Type_free(&type);
    struct layout layout = make_layout("interleaved columns", narrow, 0, int_bytes);
    INTS(layout, 0, (int)elements);
    return layout;
}

static struct layout predefined(const char* name, MPI_Datatype type, MPI_Aint extent, int fields,
                                const int* place_and_bytes) {
    struct layout layout = make_layout(name, type, 1, extent);
    for (int field = 0; field < fields; ++field)
        add_field(&layout, place_and_bytes[2 * field], place_and_bytes[2 * field + 1]);
    return layout;
}

struct layout int_layout(int kind, long ints_per_buffer) {
    switch (kind) {
        case 0:
            return predefined("MPI_INT", MPI_INT, 4, 1, PLACES(0, 4));
        case 1:
            return contiguous();
        case 2:
            return vector();
        case 3:
            return indexed();
        case 4:
            return indexed_backwards();
        case 5:
            return indexed_block();
        case 6:
            return resized();
        case 7:
            return negative_lower_bound();
        case 8:
            return resized_below();
        case 9:
            return negative_stride();
        case 10:
            return copied_vector();
        case 11:
            return copied_int();
        case 12:
            return structure();
        case 13:
            return subarray();
        case 14:
            return nested();
        case 15:
            return column(ints_per_buffer / 2);
        default:
            return predefined("MPI_2INT", MPI_2INT, 8, 2, PLACES(0, 4, 4, 4));
    }
}

/* A struct of one double and one int at the given places. */
static struct layout pair_struct(const char* name, MPI_Aint of_double, MPI_Aint of_int,
                                 MPI_Aint extent) {
    const MPI_Datatype pieces[2] = {MPI_DOUBLE, MPI_INT};
    const MPI_Aint places[2] = {of_double, of_int};
    MPI_Datatype type, sized;
    MPI_Type_create_struct(2, PLACES(1, 1), places, pieces, &type);
    MPI_Type_create_resized(type, 0, extent, &sized);
    MPI_Type_free(&type);
    struct layout layout = make_layout(name, sized, 0, extent);
    add_field(&layout, of_double, 8);
    add_field(&layout, of_int, 4);
    return layout;
}

struct layout pair_layout(int kind) {
    struct layout layout = predefined("MPI_DOUBLE_INT", MPI_DOUBLE_INT, 16, 2, PLACES(0, 8, 8, 4));
    switch (kind) {
        case 0:
            return layout;
        case 1:
            return pair_struct("struct with the int in front", 8, 0, 16);
        case 2:
            return pair_struct("packed struct", 0, 8, 12);
        case 3:
            return pair_struct("wide struct", 8, 24, 40);
        case 4:
            layout.name = "dup of MPI_DOUBLE_INT";
            layout.predefined = 0;
            MPI_Type_dup(MPI_DOUBLE_INT, &layout.type);
            return layout;
        default:
            layout.name = "vector of MPI_DOUBLE_INT";
            layout.predefined = 0;
            MPI_Type_vector(2, 1, 2, MPI_DOUBLE_INT, &layout.type);
            MPI_Type_commit(&layout.type);
            add_field(&layout, 32, 8);
            add_field(&layout, 40, 4);
            layout.extent = 48;
            return layout;
    }
}

/* Types without a name that are predefined all the same: neither committed nor freed. */
static struct layout of_fortran_precision(int kind) {
    MPI_Datatype type;
    switch (kind) {
        case 0:
            MPI_Type_create_f90_integer(9, &type);
            return predefined("MPI_Type_create_f90_integer", type, 4, 1, PLACES(0, 4));
        case 1:
            MPI_Type_create_f90_real(15, MPI_UNDEFINED, &type);
            return predefined("MPI_Type_create_f90_real", type, 8, 1, PLACES(0, 8));
        default:
            MPI_Type_create_f90_complex(6, MPI_UNDEFINED, &type);
            return predefined("MPI_Type_create_f90_complex", type, 8, 1, PLACES(0, 8));
    }
}

struct layout basic_layout(int kind) {
    switch (kind) {
        case 0:
            return predefined("MPI_CHAR", MPI_CHAR, 1, 1, PLACES(0, 1));
        case 1:
            return predefined("MPI_BYTE", MPI_BYTE, 1, 1, PLACES(0, 1));
        case 2:
            return predefined("MPI_SHORT", MPI_SHORT, 2, 1, PLACES(0, 2));
        case 3:
            return predefined("MPI_DOUBLE", MPI_DOUBLE, 8, 1, PLACES(0, 8));
        case 4:
            return predefined("MPI_INT64_T", MPI_INT64_T, 8, 1, PLACES(0, 8));
        case 5:
            return predefined("MPI_LONG_DOUBLE", MPI_LONG_DOUBLE, 16, 1, PLACES(0, 16));
        case 6:
            return predefined("MPI_C_DOUBLE_COMPLEX", MPI_C_DOUBLE_COMPLEX, 16, 1, PLACES(0, 16));
        case 7:
            return predefined("MPI_SHORT_INT", MPI_SHORT_INT, 8, 2, PLACES(0, 2, 4, 4));
        case 8:
            return predefined("MPI_FLOAT_INT", MPI_FLOAT_INT, 8, 2, PLACES(0, 4, 4, 4));
        case 9:
            return predefined("MPI_LONG_INT", MPI_LONG_INT, 16, 2, PLACES(0, 8, 8, 4));
        case 10:
            return predefined("MPI_LONG_DOUBLE_INT", MPI_LONG_DOUBLE_INT, 32, 2,
                              PLACES(0, 16, 16, 4));
        case 11: {
            MPI_Datatype type;
            MPI_Type_contiguous(0, MPI_INT, &type);
            return make_layout("empty type", type, 0, 0);
        }
        default:
            return of_fortran_precision(kind - 12);
    }
}

struct layout huge_layout(int kind) {
    enum { rows = 3, row = 6000, stride = 9000 };
    const int blocks = kind == 2 ? 1 : rows;
    MPI_Datatype type;
    if (kind == 0)
        MPI_Type_vector(rows, row, stride, MPI_INT, &type);
    else if (kind == 1)
        MPI_Type_create_hvector(rows, row, -stride * int_bytes, MPI_INT, &type);
    else
        MPI_Type_contiguous(rows * row, MPI_INT, &type);
    static const char* const names[] = {"huge vector", "huge vector backwards", "huge contiguous"};
    const int wide = kind == 2 ? rows * row : (rows - 1) * stride + row;
    struct layout layout = make_layout(names[kind], type, 0, wide * int_bytes);
    for (int block = 0; block < blocks; ++block)
        add_field(&layout, (kind == 1 ? -block : block) * stride * int_bytes,
                  (int)(rows * row / blocks * int_bytes));
    return layout;
}

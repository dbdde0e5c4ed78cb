/* Every predefined operation on every predefined type that has it, through MPI_Allreduce in the
 * mode "placement": the bits are those that the host's MPI_Reduce_local gives in the canonical
 * tree. */
#include "tasuki_control.h"

enum { count = 3, most_bytes = count * 64 };

enum kind {
    signed_integer,
    unsigned_integer,
    floating,
    fortran_floating,
    complex,
    fortran_complex,
    c_logical,
    fortran_logical,
    byte,
    pair
};

/* Pairs by their numbers; the second is an int, or as the first where the name says so. */
enum element {
    float32_int,
    float64_int,
    int64_int,
    int32_int,
    int16_int,
    long_double_int,
    float32_pair,
    float64_pair
};

struct operation {
    const char* name;
    MPI_Op handle;
};

struct type {
    const char* name;
    MPI_Datatype type;
    enum kind kind;
    enum element element; /* of pairs */
};

/* By what operations kinds have: (i)ntegers, (f)loating, (c)omplex, (l)ogical, (b)ytes, (p)airs. */
static char group_of(enum kind kind) {
    static const char groups[] = {'i', 'i', 'f', 'f', 'c', 'c', 'l', 'l', 'b', 'p'};
    return groups[kind];
}

static const char* groups_of(const char* operation) {
    static const char* const known[][2] = {{"max", "if"},   {"min", "if"},   {"sum", "ifc"},
                                           {"prod", "ifc"}, {"land", "il"},  {"band", "ib"},
                                           {"lor", "il"},   {"bor", "ib"},   {"lxor", "il"},
                                           {"bxor", "ib"},  {"maxloc", "p"}, {"minloc", "p"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
        if (strcmp(known[i][0], operation) == 0) return known[i][1];
    return "";
}

/* A number between 1 and 2 with some digits, or with `is_whole` one of 1, 2 and 3. */
static void put_floating(unsigned char* to, int bytes, int is_long_double, uint32_t draw,
                         int is_whole) {
    double number = is_whole ? 1 + draw % 3 : 1 + draw / 4294967296.0;
    if (bytes == 4) {
        float value = (float)number;
        memcpy(to, &value, sizeof value);
    } else if (bytes == 8) {
        memcpy(to, &number, sizeof number);
    } else if (is_long_double) {
        long double value = is_whole ? (long double)number : number + draw * 0x1p-62L;
        memcpy(to, &value, sizeof value);
    } else {
        __float128 value = is_whole ? (__float128)number : number + draw / (__float128)0x1p110;
        memcpy(to, &value, sizeof value);
    }
}

static void put_pair(unsigned char* to, enum element element, uint32_t draw, int place) {
    double number = draw % 3;
    float single = (float)number;
    long double longer = number;
    int whole = (int)number;
    long large = whole;
    short small = (short)whole;
    struct {
        long double first;
        int second;
    } long_double;
    switch (element) {
        case float32_int:
        case int32_int:
            memcpy(to, element == int32_int ? (void*)&whole : &single, 4);
            memcpy(to + 4, &place, 4);
            break;
        case float64_int:
        case int64_int:
            memcpy(to, element == int64_int ? (void*)&large : &number, 8);
            memcpy(to + 8, &place, 4);
            break;
        case int16_int:
            memcpy(to, &small, 2);
            memcpy(to + 4, &place, 4);
            break;
        case long_double_int:
            memcpy(to, &longer, 10);
            memcpy(to + ((char*)&long_double.second - (char*)&long_double), &place, 4);
            break;
        case float32_pair:
            memcpy(to, &single, 4);
            single = (float)place;
            memcpy(to + 4, &single, 4);
            break;
        case float64_pair:
            memcpy(to, &number, 8);
            number = place;
            memcpy(to + 8, &number, 8);
    }
}

static void put(unsigned char* to, const struct type* type, int bytes, int rank, int index,
                int is_whole) {
    uint32_t draws[4];
    for (int i = 0; i < 4; ++i) draws[i] = mix(rank, index, 3, i);
    int is_long_double = type->kind == floating || type->kind == complex;
    switch (type->kind) {
        case floating:
        case fortran_floating:
            put_floating(to, bytes, is_long_double, draws[0], is_whole);
            break;
        case complex:
        case fortran_complex:
            put_floating(to, bytes / 2, is_long_double, draws[0], is_whole);
            put_floating(to + bytes / 2, bytes / 2, is_long_double, draws[1], is_whole);
            break;
        case c_logical:
        case fortran_logical:
            *to = draws[0] % 2; /* the lowest byte of a number */
            break;
        case pair:
            put_pair(to, type->element, draws[0], rank);
            break;
        default:
            memcpy(to, draws, (size_t)bytes);
            /* Some hosts take unsigned numbers for signed ones, or MPI_OFFSET for unsigned. */
            to[bytes - 1] &= 0x7f;
    }
}

static __float128 of_two(const char* name, __float128 left, __float128 right) {
    if (strcmp(name, "max") == 0) return left > right ? left : right;
    if (strcmp(name, "min") == 0) return left < right ? left : right;
    return strcmp(name, "sum") == 0 ? left + right : left * right;
}

/* Debian's hosts take numbers of 16 bytes of Fortran for long double, so they do not count. */
static int is_quadruple(const struct type* type, int bytes) {
    return (type->kind == fortran_floating && bytes == 16) ||
           (type->kind == fortran_complex && bytes == 32);
}

static void combine_quadruple(const char* name, const struct type* type, const unsigned char* left,
                              unsigned char* right) {
    __float128 a[2 * count], b[2 * count];
    int numbers = type->kind == fortran_complex ? 2 * count : count;
    memcpy(a, left, (size_t)numbers * sizeof *a);
    memcpy(b, right, (size_t)numbers * sizeof *b);
    for (int i = 0; i < numbers; ++i) {
        if (type->kind == fortran_complex && strcmp(name, "prod") == 0) {
            __float128 real = a[i] * b[i] - a[i + 1] * b[i + 1];
            b[i + 1] = a[i] * b[i + 1] + a[i + 1] * b[i];
            b[i++] = real;
        } else {
            b[i] = of_two(name, a[i], b[i]);
        }
    }
    memcpy(right, b, (size_t)numbers * sizeof *b);
}

/* `ranks` ranks from `first` on; 0 if the host does not do it. */
static int canonical(const struct type* type, const struct operation* operation, int bytes,
                     int first, int ranks, int is_whole, unsigned char* result) {
    if (ranks == 1) {
        memset(result, 0, most_bytes);
        for (int i = 0; i < count; ++i) put(result + i * bytes, type, bytes, first, i, is_whole);
        return 1;
    }
    unsigned char left[most_bytes] __attribute__((aligned(16)));
    int half = 1;
    while (2 * half < ranks) half *= 2;
    if (!canonical(type, operation, bytes, first, half, is_whole, left) ||
        !canonical(type, operation, bytes, first + half, ranks - half, is_whole, result))
        return 0;
    if (!is_quadruple(type, bytes))
        return PMPI_Reduce_local(left, result, count, type->type, operation->handle) == MPI_SUCCESS;
    combine_quadruple(operation->name, type, left, result);
    return 1;
}

/* Whether the byte at `at` of an element is no gap. */
static int is_data(const struct type* type, int bytes, int at) {
    static const int ends[][3] = {/* of the first number, where the second begins and ends */
                                  {4, 4, 8}, {8, 8, 12},   {8, 8, 12}, {4, 4, 8},
                                  {2, 4, 8}, {10, 16, 20}, {4, 4, 8},  {8, 8, 16}};
    const int* end = ends[type->element];
    if (type->kind == pair) return at < end[0] || (at >= end[1] && at < end[2]);
    int number = type->kind == complex ? bytes / 2 : type->kind == floating ? bytes : 0;
    return number != 16 || at % 16 < 10;
}

static int ran; /* by Tasuki */

static void reduce(const struct type* type, const struct operation* operation) {
    int size;
    MPI_Aint lower, extent;
    unsigned char mine[most_bytes] __attribute__((aligned(16)));
    unsigned char expected[most_bytes] __attribute__((aligned(16)));
    unsigned char found[most_bytes] __attribute__((aligned(16)));
    const char* name = operation->name;
    if (type->type == MPI_DATATYPE_NULL || !strchr(groups_of(name), group_of(type->kind))) return;
    if (PMPI_Type_size(type->type, &size) != MPI_SUCCESS || size == 0) return;
    PMPI_Type_get_extent(type->type, &lower, &extent);
    int bytes = (int)extent;
    in_case("%s of %s", name, type->name);
    /* Products of whole numbers are exact, however a host multiplies complex ones. */
    int is_whole = strcmp(name, "prod") == 0 && group_of(type->kind) == 'c';
    if (!canonical(type, operation, bytes, 0, check_ranks, is_whole, expected)) return;
    memset(mine, 0, sizeof mine);
    memset(found, 0, sizeof found);
    for (int i = 0; i < count; ++i) put(mine + i * bytes, type, bytes, check_rank, i, is_whole);
    int code = MPI_Allreduce(mine, found, count, type->type, operation->handle, MPI_COMM_WORLD);
    check(code == MPI_SUCCESS, "MPI_Allreduce failed");
    const char* last = last_algorithm_of("allreduce");
    if (has_tasuki() && !check(strncmp(last, "native", 6) != 0, "ran by %s", last)) return;
    ++ran;
    for (int i = 0; i < count; ++i) {
        int is_equal = 1;
        for (int at = i * bytes; at < (i + 1) * bytes; ++at)
            if (is_data(type, bytes, at - i * bytes) && found[at] != expected[at]) is_equal = 0;
        check(is_equal, "element %d of %d bytes has other bits", i, bytes);
    }
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    check_begin();
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    const struct type types[] = {
#define TASUKI_MPI_NUMBER(handle, kind) {#handle, handle, kind, 0},
#define TASUKI_MPI_PAIR(handle, element) {#handle, handle, pair, element},
#include "reduce/mpi_names.inc"
#undef TASUKI_MPI_NUMBER
#undef TASUKI_MPI_PAIR
    };
    const struct operation operations[] = {
#define TASUKI_MPI_OPERATION(handle, operation) {#operation, handle},
#include "reduce/mpi_names.inc"
#undef TASUKI_MPI_OPERATION
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
        for (size_t j = 0; j < sizeof operations / sizeof *operations; ++j)
            reduce(&types[i], &operations[j]);
    if (check_rank == 0) printf("pairs %d\n", ran);
    int code = check_end();
    MPI_Finalize();
    return code;
}

/* Calls that reduce, for collectives.c: of numbers whose sums are exact in any order. */
#include "collectives.h"

/* An operation that does not commute: 2 x 2 matrices modulo 2^32. */
static void multiply(void* in, void* inout, int* count, MPI_Datatype* type) {
    const uint32_t* left = in;
    uint32_t* right = inout;
    (void)type;
    for (int i = 0; i < *count; ++i, left += 4, right += 4) {
        uint32_t product[4] = {
            left[0] * right[0] + left[1] * right[2], left[0] * right[1] + left[1] * right[3],
            left[2] * right[0] + left[3] * right[2], left[2] * right[1] + left[3] * right[3]};
        memcpy(right, product, sizeof product);
    }
}

enum { number_kinds = 5 };
struct numbers {
    MPI_Datatype type;
    MPI_Op operation;
    int bytes; /* of an element */
    int made;  /* both are to be freed */
};

static struct numbers numbers_of(int kind) {
    struct numbers numbers[number_kinds] = {{MPI_INT, MPI_SUM, 4, 0},
                                            {MPI_DOUBLE, MPI_SUM, 8, 0},
                                            {MPI_FLOAT, MPI_MAX, 4, 0},
                                            {MPI_2INT, MPI_MINLOC, 8, 0},
                                            {MPI_DATATYPE_NULL, MPI_OP_NULL, 16, 1}};
    if (numbers[kind].made) {
        MPI_Type_contiguous(4, MPI_UNSIGNED, &numbers[kind].type);
        MPI_Type_commit(&numbers[kind].type);
        MPI_Op_create(multiply, 0, &numbers[kind].operation);
    }
    return numbers[kind];
}

static void free_numbers(struct numbers* numbers) {
    if (!numbers->made) return;
    MPI_Type_free(&numbers->type);
    MPI_Op_free(&numbers->operation);
}

/* So many elements: small whole numbers, as each type has them. */
static void* vector_of(const struct numbers* numbers, int count, uint32_t seed) {
    char* bytes = malloc((size_t)(count + 1) * (size_t)numbers->bytes);
    int each = numbers->type == MPI_DOUBLE ? 8 : 4;
    for (int i = 0; i < (count + 1) * numbers->bytes / each; ++i) {
        int value = (int)(mix(seed, (uint32_t)i, 5, 5) % 1000);
        if (numbers->type == MPI_DOUBLE)
            ((double*)(void*)bytes)[i] = value;
        else if (numbers->type == MPI_FLOAT)
            ((float*)(void*)bytes)[i] = (float)value;
        else
            ((int*)(void*)bytes)[i] = value;
    }
    return bytes;
}

static void same_vectors(void* ours, void* hosts, const struct numbers* numbers, int count,
                         const char* what) {
    check(memcmp(ours, hosts, (size_t)(count + 1) * (size_t)numbers->bytes) == 0,
          "%s differs, %d elements of %d bytes", what, count, numbers->bytes);
    free(ours), free(hosts);
}

static void allreduce(const struct place* place, struct draws* common, struct draws* own) {
    struct numbers numbers = numbers_of(draw(common, number_kinds));
    int count = any_pairs(common), in_place = draw(common, 4) == 0;
    uint32_t seed = own->state = mix(own->state, 1, 2, 3);
    void *send = vector_of(&numbers, count, seed), *before = vector_of(&numbers, count, seed);
    void *ours = vector_of(&numbers, count, seed + 1),
         *hosts = vector_of(&numbers, count, seed + 1);
    const void* from = in_place ? MPI_IN_PLACE : send;
    FORM_OF(PMPI_Allreduce)(from, hosts, count, numbers.type, numbers.operation, place->comm);
    FORM_OF(MPI_Allreduce)(from, ours, count, numbers.type, numbers.operation, place->comm);
    same_vectors(ours, hosts, &numbers, count, "result");
    same_vectors(send, before, &numbers, count, "input");
    free_numbers(&numbers);
}

const struct collective reducing[] = {
    {"allreduce", "MPI_Allreduce", allreduce},
    {NULL, NULL, NULL},
};

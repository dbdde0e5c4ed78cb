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

/* One reduction: what all ranks drew of it, and the memory of this one. */
struct reduced {
    struct numbers numbers;
    int count, results; /* elements given, and got */
    void *send, *before, *ours, *hosts;
};

static struct reduced draw_reduced(struct draws* common, struct draws* own, int count,
                                   int results) {
    struct reduced reduced = {.numbers = numbers_of(draw(common, number_kinds))};
    int room = count > results ? count : results;
    uint32_t seed = own->state = mix(own->state, 1, 2, 3);
    reduced.count = count, reduced.results = results;
    reduced.send = vector_of(&reduced.numbers, count, seed);
    reduced.before = vector_of(&reduced.numbers, count, seed);
    reduced.ours = vector_of(&reduced.numbers, room, seed + 1);
    reduced.hosts = vector_of(&reduced.numbers, room, seed + 1);
    return reduced;
}

/* `defined`: how many elements of the result MPI defines; others may hold anything. */
static void compare_reduced(struct reduced* reduced, int defined) {
    check(memcmp(reduced->ours, reduced->hosts, (size_t)defined * (size_t)reduced->numbers.bytes) ==
              0,
          "result differs, %d elements of %d bytes", defined, reduced->numbers.bytes);
    free(reduced->ours), free(reduced->hosts);
    same_vectors(reduced->send, reduced->before, &reduced->numbers, reduced->count, "input");
    free_numbers(&reduced->numbers);
}

static void allreduce(const struct place* place, struct draws* common, struct draws* own) {
    int count = any_pairs(common), in_place = draw(common, 4) == 0;
    struct reduced all = draw_reduced(common, own, count, count);
    const void* from = in_place ? MPI_IN_PLACE : all.send;
    FORM_OF(PMPI_Allreduce)(from, all.hosts, count, all.numbers.type, all.numbers.operation,
                            place->comm);
    FORM_OF(MPI_Allreduce)(from, all.ours, count, all.numbers.type, all.numbers.operation,
                           place->comm);
    compare_reduced(&all, count + 1);
}

static void reduce(const struct place* place, struct draws* common, struct draws* own) {
    int count = any_pairs(common), root = draw(common, place->ranks);
    int in_place = draw(common, 4) == 0 && place->rank == root;
    struct reduced all = draw_reduced(common, own, count, count);
#if defined(MPICH_NUMVERSION) && MPICH_NUMVERSION < 40100000
    in_place = in_place && root == 0; /* 4.0.2 else copies from the address MPI_IN_PLACE */
#endif
    const void* from = in_place ? MPI_IN_PLACE : all.send;
    FORM_OF(PMPI_Reduce)(from, all.hosts, count, all.numbers.type, all.numbers.operation, root,
                         place->comm);
    FORM_OF(MPI_Reduce)(from, all.ours, count, all.numbers.type, all.numbers.operation, root,
                        place->comm);
    compare_reduced(&all, count + 1);
}

static void scan(const struct place* place, struct draws* common, struct draws* own) {
    int count = any_pairs(common), in_place = draw(common, 4) == 0;
    struct reduced all = draw_reduced(common, own, count, count);
    const void* from = in_place ? MPI_IN_PLACE : all.send;
    FORM_OF(PMPI_Scan)(from, all.hosts, count, all.numbers.type, all.numbers.operation,
                       place->comm);
    FORM_OF(MPI_Scan)(from, all.ours, count, all.numbers.type, all.numbers.operation, place->comm);
    compare_reduced(&all, count + 1);
}

static void exscan(const struct place* place, struct draws* common, struct draws* own) {
    int count = any_pairs(common), in_place = draw(common, 4) == 0;
    struct reduced all = draw_reduced(common, own, count, count);
    const void* from = in_place ? MPI_IN_PLACE : all.send;
    FORM_OF(PMPI_Exscan)(from, all.hosts, count, all.numbers.type, all.numbers.operation,
                         place->comm);
    FORM_OF(MPI_Exscan)(from, all.ours, count, all.numbers.type, all.numbers.operation,
                        place->comm);
    compare_reduced(&all, place->rank == 0 ? 0 : count + 1);
}

static void reduce_scatter_block(const struct place* place, struct draws* common,
                                 struct draws* own) {
    int count = any_pairs(common), in_place = draw(common, 4) == 0;
    struct reduced all = draw_reduced(common, own, count * place->ranks, count);
    const void* from = in_place ? MPI_IN_PLACE : all.send;
    FORM_OF(PMPI_Reduce_scatter_block)(from, all.hosts, count, all.numbers.type,
                                       all.numbers.operation, place->comm);
    FORM_OF(MPI_Reduce_scatter_block)(from, all.ours, count, all.numbers.type,
                                      all.numbers.operation, place->comm);
    compare_reduced(&all, in_place ? count : count + 1);
}

static void reduce_scatter(const struct place* place, struct draws* common, struct draws* own) {
    number counts[64];
    int count = 0, in_place = draw(common, 4) == 0;
    for (int rank = 0; rank < place->ranks; ++rank) {
        int some = draw(common, 40);
        counts[rank] = some, count += some;
    }
    int mine = (int)counts[place->rank];
    struct reduced all = draw_reduced(common, own, count, mine);
    const void* from = in_place ? MPI_IN_PLACE : all.send;
    FORM_OF(PMPI_Reduce_scatter)(from, all.hosts, counts, all.numbers.type, all.numbers.operation,
                                 place->comm);
    FORM_OF(MPI_Reduce_scatter)(from, all.ours, counts, all.numbers.type, all.numbers.operation,
                                place->comm);
    compare_reduced(&all, in_place ? mine : mine + 1);
}

const struct collective reducing[] = {
    {"allreduce", "MPI_Allreduce", allreduce},
    {"reduce", "MPI_Reduce", reduce},
    {"scan", "MPI_Scan", scan},
    {"exscan", "MPI_Exscan", exscan},
    {"reduce-scatter", "MPI_Reduce_scatter_block", reduce_scatter_block},
    {"reduce-scatter", "MPI_Reduce_scatter", reduce_scatter},
    {NULL, NULL, NULL},
};

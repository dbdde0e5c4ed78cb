/* complex_structs COLLECTIVE/CHOICE...: arrays of structs of a complex number and a real one, of
 * which the complex numbers travel, in short messages. Open MPI 5.0 sends long ones of such types
 * wrongly, and packs them wrongly in its own collectives: what the host moved is not looked at. */
#include "tasuki_control.h"

enum { numbers = 4, elements = 2, block = numbers * elements, most_ranks = 8, apart = 3 };
enum { reals = most_ranks * block * apart, named_calls = 2, learning_calls = 12 };

static const double gap = -0.25;

struct kind {
    const char* name;
    MPI_Datatype apart, together;
    int is_float;
};

/* How a buffer has the numbers: with the real ones of the structs between them or without. */
struct side {
    MPI_Datatype type;
    int count, stride;
};

static double sent[reals], received[reals]; /* or floats */
static int counts[2][most_ranks], places[2][most_ranks];
static MPI_Datatype types[2][most_ranks];
static const struct kind* kind;
static struct side sides[2]; /* what is sent, and what is received */
static int call;

static void put(void* buffer, int at, double value) {
    if (kind->is_float)
        ((float*)buffer)[at] = (float)value;
    else
        ((double*)buffer)[at] = value;
}

static double get(const void* buffer, int at) {
    return kind->is_float ? ((const float*)buffer)[at] : ((const double*)buffer)[at];
}

static double number(int from, int to, int index) {
    return 1 + index + 16 * to + 256 * from + 4096 * (call % 16);
}

static void put_block(void* buffer, const struct side* side, int place, int from, int to) {
    for (int i = 0; i < block; ++i) {
        int at = (place * block + i) * side->stride;
        put(buffer, at, number(from, to, i));
        put(buffer, at + 1, -number(from, to, i));
    }
}

static void check_block(const void* buffer, const struct side* side, int place, int from, int to,
                        const char* collective) {
    if (begins_with_name(last_algorithm_of(collective), "native")) return;
    for (int i = 0; i < block; ++i) {
        int at = (place * block + i) * side->stride;
        double real = get(buffer, at), imaginary = get(buffer, at + 1);
        if (!check(real == number(from, to, i) && imaginary == -number(from, to, i),
                   "number %d of rank %d for rank %d is (%g, %g), by %s", i, from, to, real,
                   imaginary, last_algorithm_of(collective)))
            return;
        if (side->stride == apart &&
            !check(get(buffer, at + 2) == gap, "gap %d is %g", i, get(buffer, at + 2)))
            return;
    }
}

/* The arrays of v- and w-forms for both sides. */
static void lay_out(int in_bytes) {
    int real = kind->is_float ? sizeof(float) : sizeof(double);
    for (int s = 0; s < 2; ++s)
        for (int rank = 0; rank < check_ranks; ++rank) {
            counts[s][rank] = sides[s].count;
            places[s][rank] = rank * (in_bytes ? block * sides[s].stride * real : sides[s].count);
            types[s][rank] = sides[s].type;
        }
}

static void check_all_of(const char* collective, int is_for_me) {
    for (int from = 0; from < check_ranks; ++from)
        check_block(received, &sides[1], from, from, is_for_me ? check_rank : 0, collective);
}

static void bcast(int form, int root) {
    (void)form;
    const struct side* side = &sides[check_rank == root ? 0 : 1];
    void* buffer = check_rank == root ? sent : received;
    if (check_rank == root) put_block(sent, side, 0, root, 0);
    MPI_Bcast(buffer, side->count, side->type, root, MPI_COMM_WORLD);
    check_block(buffer, side, 0, root, 0, "bcast");
}

static void allgather(int form, int root) {
    (void)root;
    put_block(sent, &sides[0], 0, check_rank, 0);
    lay_out(0);
    if (form == 0)
        MPI_Allgather(sent, sides[0].count, sides[0].type, received, sides[1].count, sides[1].type,
                      MPI_COMM_WORLD);
    else
        MPI_Allgatherv(sent, sides[0].count, sides[0].type, received, counts[1], places[1],
                       sides[1].type, MPI_COMM_WORLD);
    check_all_of("allgather", 0);
}

static void put_for_all(void) {
    for (int to = 0; to < check_ranks; ++to) put_block(sent, &sides[0], to, check_rank, to);
}

static void alltoall(int form, int root) {
    (void)form;
    (void)root;
    put_for_all();
    MPI_Alltoall(sent, sides[0].count, sides[0].type, received, sides[1].count, sides[1].type,
                 MPI_COMM_WORLD);
    check_all_of("alltoall", 1);
}

static void alltoallv(int form, int root) {
    (void)root;
    put_for_all();
    lay_out(form == 1);
    if (form == 0)
        MPI_Alltoallv(sent, counts[0], places[0], sides[0].type, received, counts[1], places[1],
                      sides[1].type, MPI_COMM_WORLD);
    else
        MPI_Alltoallw(sent, counts[0], places[0], types[0], received, counts[1], places[1],
                      types[1], MPI_COMM_WORLD);
    check_all_of("alltoallv", 1);
}

static void gather(int form, int root) {
    put_block(sent, &sides[0], 0, check_rank, 0);
    lay_out(0);
    if (form == 0)
        MPI_Gather(sent, sides[0].count, sides[0].type, received, sides[1].count, sides[1].type,
                   root, MPI_COMM_WORLD);
    else
        MPI_Gatherv(sent, sides[0].count, sides[0].type, received, counts[1], places[1],
                    sides[1].type, root, MPI_COMM_WORLD);
    if (check_rank == root) check_all_of("gather", 0);
}

static void scatter(int form, int root) {
    if (check_rank == root) put_for_all();
    lay_out(0);
    if (form == 0)
        MPI_Scatter(sent, sides[0].count, sides[0].type, received, sides[1].count, sides[1].type,
                    root, MPI_COMM_WORLD);
    else
        MPI_Scatterv(sent, counts[0], places[0], sides[0].type, received, sides[1].count,
                     sides[1].type, root, MPI_COMM_WORLD);
    check_block(received, &sides[1], 0, root, check_rank, "scatter");
}

static const struct {
    const char* name;
    void (*run)(int form, int root);
    int forms;
} collectives[] = {{"bcast", bcast, 1},       {"allgather", allgather, 2},
                   {"alltoall", alltoall, 1}, {"alltoallv", alltoallv, 2},
                   {"gather", gather, 2},     {"scatter", scatter, 2}};

static void run(size_t which, const char* choice) {
    choose_for(collectives[which].name, choice);
    int calls = strncmp(choice, "auto", 4) == 0 ? learning_calls : named_calls;
    for (int form = 0; form < collectives[which].forms; ++form)
        for (int way = 1; way < 4; ++way) /* which sides are apart */
            for (call = 0; call < calls; ++call) {
                in_case("%s form %d by %s of %s, sides %d", collectives[which].name, form, choice,
                        kind->name, way);
                for (int s = 0; s < 2; ++s)
                    sides[s] = way & (1 << s) ? (struct side){kind->apart, elements, apart}
                                              : (struct side){kind->together, block, 2};
                for (int at = 0; at < reals; ++at) put(sent, at, gap), put(received, at, gap);
                collectives[which].run(form, call % check_ranks);
            }
    choose_for(collectives[which].name, "native");
}

/* `numbers` numbers, each with room for a real one of `real` bytes behind it. */
static MPI_Datatype made(int way, MPI_Datatype complex, int real) {
    MPI_Datatype padded, inner, type;
    MPI_Type_create_resized(complex, 0, apart * real, &padded);
    if (way == 0) {
        MPI_Type_contiguous(numbers, padded, &inner);
    } else if (way == 1) {
        MPI_Type_create_hvector(numbers, 1, apart * real, complex, &inner);
    } else {
        int lengths[] = {1, numbers - 1};
        MPI_Aint displacements[] = {0, apart * real};
        MPI_Datatype parts[] = {complex, padded};
        MPI_Type_create_struct(2, lengths, displacements, parts, &inner);
    }
    MPI_Type_create_resized(inner, 0, numbers * apart * real, &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&inner);
    MPI_Type_free(&padded);
    return type;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    check_begin();
    if (check_ranks > most_ranks) return 2;
    struct kind kinds[] = {
        {"double complex", MPI_DATATYPE_NULL, MPI_C_DOUBLE_COMPLEX, 0},
        {"float complex", MPI_DATATYPE_NULL, MPI_C_FLOAT_COMPLEX, 1},
        {"Fortran's double complex", MPI_DATATYPE_NULL, MPI_DOUBLE_COMPLEX, 0},
    };
    for (size_t k = 0; k < 3 * sizeof kinds / sizeof *kinds; ++k) {
        struct kind* of = &kinds[k / 3];
        if (of->together == MPI_DATATYPE_NULL) continue; /* without a Fortran compiler */
        of->apart = made((int)(k % 3), of->together, of->is_float ? sizeof(float) : sizeof(double));
        kind = of;
        for (int i = 1; i < argc; ++i)
            for (size_t c = 0; c < sizeof collectives / sizeof *collectives; ++c) {
                size_t length = strlen(collectives[c].name);
                if (strncmp(argv[i], collectives[c].name, length) == 0 && argv[i][length] == '/')
                    run(c, argv[i] + length + 1);
            }
        MPI_Type_free(&of->apart);
    }
    int code = check_end();
    MPI_Finalize();
    return code;
}

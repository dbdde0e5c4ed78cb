/* Blocks and vectors of more than 2^31 bytes in the collectives beside all-to-all.
 *
 * usage: huge_collectives {numbers|counts} [COLLECTIVE/CHOICE...]
 *   numbers  int counts of MPI_DOUBLE: fewer than 2^31 elements
 *   counts   MPI_<name>_c of MPI_BYTE, and of MPI_UINT8_T where it reduces: more than 2^31
 * elements; with -DHAVE_LARGE_COUNTS The choice "auto" is for the mode in which sums are exact. */
#include "huge_memory.h"
#include "tasuki_control.h"

#ifdef HAVE_LARGE_COUNTS
#define CALL(name, ...) (of_bytes ? MPI_##name##_c(__VA_ARGS__) : MPI_##name(__VA_ARGS__))
#else
#define CALL(name, ...) MPI_##name(__VA_ARGS__)
#endif

static int of_bytes; /* "counts" */
static int root;     /* the last rank */
static char *sent, *received;

static MPI_Count count_of_block(void) {
    return (MPI_Count)(of_bytes ? block : block / sizeof(double));
}

static void clear_blocks(char* base, int blocks) {
    for (int number = 0; number < blocks; ++number) clear_block(base, number);
}

static int bcast(MPI_Count count, MPI_Datatype type) {
    char* buffer = check_rank == root ? sent : received;
    int code = CALL(Bcast, buffer, count, type, root, MPI_COMM_WORLD);
    check_block(buffer, 0, root, 0);
    return code;
}

static int allgather(MPI_Count count, MPI_Datatype type) {
    int code = CALL(Allgather, sent, count, type, received, count, type, MPI_COMM_WORLD);
    for (int from = 0; from < check_ranks; ++from) check_block(received, from, from, 0);
    return code;
}

static int gather(MPI_Count count, MPI_Datatype type) {
    int code = CALL(Gather, sent, count, type, received, count, type, root, MPI_COMM_WORLD);
    for (int from = 0; from < check_ranks && check_rank == root; ++from)
        check_block(received, from, from, 0);
    return code;
}

static int scatter(MPI_Count count, MPI_Datatype type) {
    int code = CALL(Scatter, sent, count, type, received, count, type, root, MPI_COMM_WORLD);
    check_block(received, 0, root, check_rank);
    return code;
}

/* Small whole numbers, whose sums are exact in any order. */
static double number_of(int rank, size_t index) {
    return mix((uint32_t)rank, (uint32_t)index, 0, 78) & 0xffff;
}

/* The page of a vector that lies at many addresses: what is at `index` in it and in the tail. */
static void fill_vector(void) {
    if (of_bytes) {
        fill_block(sent, 0, check_rank, 0);
        return;
    }
    for (size_t at = 0; at < piece + tail; at += sizeof(double))
        *(double*)own_byte(sent, 0, at) = number_of(check_rank, at / sizeof(double));
}

/* What the page of the sum holds at byte `at` of its piece and tail. */
static void fill_sum(char* sum, size_t at) {
    double of_numbers = 0;
    uint32_t of_bits = 0;
    for (int rank = 0; rank < check_ranks; ++rank) {
        if (of_bytes)
            of_bits |= word_of(rank, 0, at);
        else
            of_numbers += number_of(rank, at / sizeof(double));
    }
    if (of_bytes)
        memcpy(sum + at, &of_bits, sizeof of_bits);
    else
        memcpy(sum + at, &of_numbers, sizeof of_numbers);
}

/* The first byte of `length` where two differ; `length` if none. */
static size_t difference(const char* one, const char* other, size_t length) {
    size_t at = 0;
    if (memcmp(one, other, length) == 0) return length;
    while (one[at] == other[at]) ++at;
    return at;
}

/* Every byte. The vectors that were added repeat a piece, and so does their sum, up to its tail. */
static void check_sum(const char* sums) {
    char* expected = malloc(piece + tail);
    if (expected == NULL) MPI_Abort(MPI_COMM_WORLD, 3);
    for (size_t at = 0; at < piece + tail; at += of_bytes ? sizeof(uint32_t) : sizeof(double))
        fill_sum(expected, at);
    size_t place = 0;
    while (place < block) {
        int is_tail = place == block - tail;
        size_t length = is_tail ? tail : piece;
        size_t equal = difference(sums + place, expected + (is_tail ? piece : 0), length);
        place += equal;
        if (equal < length) break;
    }
    check(place == block, "the result is wrong at byte %zu", place);
    free(expected);
}

/* The result is memory of its own: a program may write to it more than once. */
static int allreduce(MPI_Count count, MPI_Datatype type) {
    char* sums = mmap(NULL, block, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (sums == MAP_FAILED) MPI_Abort(MPI_COMM_WORLD, 3);
    fill_vector();
    int code =
        CALL(Allreduce, sent, sums, count, type, of_bytes ? MPI_BOR : MPI_SUM, MPI_COMM_WORLD);
    check_sum(sums);
    munmap(sums, block);
    return code;
}

static void check_ran_by(const char* collective, const char* choice) {
    const char* last = last_algorithm_of(collective);
    char name[128];
    if (!has_tasuki()) return;
    if (strcmp(choice, "auto") == 0) {
        check_ran_exactly(collective, check_ranks);
        return;
    }
    snprintf(name, sizeof name, "%.*s", (int)strcspn(choice, ":"), choice);
    const char* carrier = "carrier=memory";
    check(begins_with_name(last, name) && !strstr(last, carrier) == !strstr(choice, carrier),
          "ran by \"%s\"", last);
}

static void run(const char* collective, const char* choice) {
    static const struct {
        const char* name;
        int (*function)(MPI_Count, MPI_Datatype);
    } known[] = {{"bcast", bcast},
                 {"allgather", allgather},
                 {"gather", gather},
                 {"scatter", scatter},
                 {"allreduce", allreduce}};
    int reduces = strcmp(collective, "allreduce") == 0;
    MPI_Datatype bytes = reduces ? MPI_UINT8_T : MPI_BYTE;
    size_t at = 0;
    while (at < sizeof known / sizeof *known && strcmp(known[at].name, collective) != 0) ++at;
    if (at == sizeof known / sizeof *known) MPI_Abort(MPI_COMM_WORLD, 2);
    choose_for(collective, choice);
    in_case("%s/%s of %zu bytes, by %s", collective, choice, block,
            of_bytes ? "large counts" : "int counts");
    for (int to = 0; to < check_ranks; ++to)
        fill_block(sent, to, check_rank, strcmp(collective, "scatter") == 0 ? to : 0);
    clear_blocks(received, check_ranks);
    int code = known[at].function(count_of_block(), of_bytes ? bytes : MPI_DOUBLE);
    check(code == MPI_SUCCESS, "the call failed");
    check_ran_by(collective, choice);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    check_begin();
    if (argc < 2) MPI_Abort(MPI_COMM_WORLD, 2);
    of_bytes = strcmp(argv[1], "counts") == 0;
    root = check_ranks - 1;
    sent = make_buffer(check_ranks), received = make_buffer(check_ranks);
    for (int argument = 2; argument < argc; ++argument) {
        char* choice = strchr(argv[argument], '/');
        if (choice == NULL) MPI_Abort(MPI_COMM_WORLD, 2);
        *choice = 0;
        run(argv[argument], choice + 1);
    }
    int code = check_end();
    MPI_Finalize();
    return code;
}

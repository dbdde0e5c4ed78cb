/* A device runtime that one rank loads after the communicator's first all-to-alls: no other rank
 * can know of its device buffers until the ranks agree anew (at calls 2, 4, 8, ...). Until then the
 * call runs by Tasuki, and that rank lets the host copy; afterwards it is left to the host. To show
 * that nothing else reaches the buffers they cannot be read or written in between.
 *
 * usage: late_device PATH_OF_LIBCUDA [CANDIDATE...]
 *   The candidates must be within their domains; all but "native" protect the buffers. */
#include <sys/mman.h>

#include "exchange.h"
#include "tasuki_control.h"

/* Enough calls before that all cases run before the ranks agree again. */
enum { most = 700, calls_before = 512 };
/* How words lie: one behind the other, each with a gap behind it, or as the complex numbers of
 * structs that have a real one more. The last in short messages: see complex_structs.c. */
enum { together, with_gaps, in_structs, in_a_short_message = 40 };

static unsigned char* device; /* NULL on ranks that have none */
static size_t device_bytes;
static int is_protected, host_copies;

static void allow(int access) {
    if (device != NULL && mprotect(device, device_bytes, access) != 0) abort();
}

/* What Tasuki has the host copy by: only in here the host may reach the device. */
int PMPI_Sendrecv(const void* send, int send_count, MPI_Datatype send_type, int to, int send_tag,
                  void* receive, int receive_count, MPI_Datatype receive_type, int from,
                  int receive_tag, MPI_Comm comm, MPI_Status* status) {
    int (*next)(const void*, int, MPI_Datatype, int, int, void*, int, MPI_Datatype, int, int,
                MPI_Comm, MPI_Status*);
    *(void**)&next = dlsym(RTLD_NEXT, "PMPI_Sendrecv");
    ++host_copies;
    allow(PROT_READ | PROT_WRITE);
    int code = next(send, send_count, send_type, to, send_tag, receive, receive_count, receive_type,
                    from, receive_tag, comm, status);
    if (is_protected) allow(PROT_NONE);
    return code;
}

/* Which of the buffers of the rank with the device lie in it. */
struct sides {
    int send, receive, in_place, gaps;
};

static size_t place_of(size_t word, int gaps) {
    return gaps == in_structs ? word / 2 * 3 + word % 2 : gaps == with_gaps ? 2 * word : word;
}

/* `words`: how many an element of it has. */
static MPI_Datatype made_type(int gaps, int* words) {
    MPI_Datatype type, number;
    *words = gaps == in_structs ? 4 : 1;
    if (gaps == in_structs) {
        MPI_Type_create_resized(MPI_C_FLOAT_COMPLEX, 0, 3 * sizeof(int), &number);
        MPI_Type_contiguous(2, number, &type);
        MPI_Type_free(&number);
    } else if (gaps == with_gaps) {
        MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &type);
    } else {
        MPI_Type_contiguous(1, MPI_INT, &type);
    }
    MPI_Type_commit(&type);
    return type;
}

static void run(const struct candidate* candidate, MPI_Comm comm, struct sides sides, int by_us) {
    const size_t stride = sides.gaps ? 2 : 1;
    const int count = sides.gaps == in_structs ? in_a_short_message : most;
    const size_t words = (size_t)check_ranks * count;
    int* plain = calloc(2 * stride * words, sizeof(int));
    int* exchanged_words = calloc(words, sizeof(int));
    int* sent = device && sides.send ? (int*)device : plain;
    int* received =
        device && sides.receive ? (int*)(device + device_bytes / 2) : plain + stride * words;
    int words_of_type;
    MPI_Datatype type = made_type(sides.gaps, &words_of_type);
    const int elements = count / words_of_type;
    in_case("%s: late device, send %d, receive %d, in place %d, gaps %d", candidate->choice,
            sides.send, sides.receive, sides.in_place, sides.gaps);
    for (uint32_t call = 0; call < 2; ++call) {
        int* filled = sides.in_place ? received : sent;
        fill_exchange(exchanged_words, check_rank, check_ranks, count, call);
        for (size_t word = 0; word < words; ++word) {
            received[place_of(word, sides.gaps)] = -1;
            filled[place_of(word, sides.gaps)] = exchanged_words[word];
        }
        host_copies = 0;
        is_protected = by_us;
        if (is_protected) allow(PROT_NONE);
        MPI_Alltoall(sides.in_place ? MPI_IN_PLACE : sent, elements, type, received, elements, type,
                     comm);
        is_protected = 0;
        allow(PROT_READ | PROT_WRITE);
        for (size_t word = 0; word < words; ++word)
            exchanged_words[word] = received[place_of(word, sides.gaps)];
        check(is_exchanged(exchanged_words, check_rank, check_ranks, count, call), "wrong data");
        if (by_us) check_ran(candidate, check_ranks, check_ranks);
        const int expected = by_us && device ? sides.send + sides.receive + sides.in_place : 0;
        check(host_copies == expected, "%d copies by the host, expected %d", host_copies, expected);
    }
    MPI_Type_free(&type);
    free(plain), free(exchanged_words);
}

static void load_device(const char* path) {
    void* cuda = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (cuda == NULL) MPI_Abort(MPI_COMM_WORLD, 2);
    void (*set_device_range)(void*, unsigned long);
    *(void**)&set_device_range = dlsym(cuda, "fake_device_range");
    device_bytes = ((size_t)check_ranks * most * 4 * sizeof(int) / 4096 + 2) / 2 * 2 * 4096;
    device = mmap(NULL, device_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (device == MAP_FAILED) abort();
    set_device_range(device, device_bytes);
}

static const struct sides all_sides[] = {
    {1, 0, 0, together}, {0, 1, 0, together},   {1, 1, 0, together},
    {0, 1, 1, together}, {1, 1, 0, with_gaps},  {0, 1, 1, with_gaps},
    {0, 0, 0, together}, {1, 1, 0, in_structs}, {0, 1, 1, in_structs},
};

/* On a communicator of the time before, Tasuki runs; on one that is made afterwards, all ranks
 * know, and the host runs. */
static void all_on(const struct candidate* candidate, MPI_Comm before) {
    const int by_us = has_tasuki() && !begins_with_name(candidate->choice, "native");
    MPI_Comm after;
    choose(candidate);
    for (size_t i = 0; i < sizeof all_sides / sizeof *all_sides; ++i) {
        /* Open MPI 5.0 packs structs wrongly in its own. */
        if (all_sides[i].gaps == in_structs && !by_us) continue;
        run(candidate, before, all_sides[i], by_us);
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &after);
    run(candidate, after, all_sides[2], 0);
    if (by_us) check_passed_to_host("device");
    MPI_Comm_free(&after);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    check_begin();
    if (argc < 3) MPI_Abort(MPI_COMM_WORLD, 2);
    struct candidate candidate = parse_candidate(argv[argc - 1]);
    MPI_Comm before;
    MPI_Comm_dup(MPI_COMM_WORLD, &before);
    choose(&candidate);
    for (uint32_t call = 0; call < calls_before; ++call) check_exchange(before, 1, call);
    if (check_rank == check_ranks - 1) load_device(argv[1]);
    for (int argument = 2; argument < argc; ++argument) {
        candidate = parse_candidate(argv[argument]);
        all_on(&candidate, before);
    }
    choose(&candidate);
    for (uint32_t call = 0; call < calls_before; ++call) check_exchange(before, 1, call);
    run(&candidate, before, all_sides[2], 0);
    if (has_tasuki()) check_passed_to_host("device");
    MPI_Comm_free(&before);
    int code = check_end();
    MPI_Finalize();
    return code;
}

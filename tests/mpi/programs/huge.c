/* Blocks of more than 2^31 bytes for each pair of ranks. Each block is a few pages of memory, seen
 * at many addresses: it takes the address space of a huge buffer and hardly any memory. Its last
 * pages, past 2^31 bytes, are memory of their own.
 *
 * usage: huge {types|counts} [CANDIDATE...]
 *   types   int counts of a large contiguous type
 *   counts  MPI_Alltoall_c of MPI_BYTE, with -DHAVE_LARGE_COUNTS */
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "tasuki_control.h"

static const size_t piece = (size_t)1 << 24;
static const size_t tail = (size_t)1 << 20;
static const size_t block = ((size_t)1 << 31) + ((size_t)1 << 20);

static uint32_t word_of(int from, int to, size_t at) {
    return mix((uint32_t)from, (uint32_t)to, (uint32_t)(at / 4), 77);
}

/* The addresses of a buffer of one block for each rank. */
static char* make_buffer(void) {
    char* base = mmap(NULL, block * (size_t)check_ranks, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    for (int number = 0; number < check_ranks; ++number) {
        int file = memfd_create("huge", 0);
        if (base == MAP_FAILED || file < 0 || ftruncate(file, (off_t)(piece + tail)))
            MPI_Abort(MPI_COMM_WORLD, 3);
        char* begin = base + block * (size_t)number;
        for (size_t at = 0; at < block; at += piece) {
            int is_tail = at == block - tail;
            void* got = mmap(begin + at, is_tail ? tail : piece, PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_FIXED, file, is_tail ? (off_t)piece : 0);
            if (got == MAP_FAILED) MPI_Abort(MPI_COMM_WORLD, 3);
        }
        close(file);
    }
    return base;
}

/* The words of a block that have memory of their own: its first piece and its tail. */
static uint32_t* word_at(char* base, int number, size_t at) {
    size_t place = at < piece ? at : at - piece + (block - tail);
    return (uint32_t*)(base + block * (size_t)number + place);
}

static void fill(char* base, int is_input) {
    for (int number = 0; number < check_ranks; ++number)
        for (size_t at = 0; at < piece + tail; at += 4)
            *word_at(base, number, at) = is_input ? word_of(check_rank, number, at) : 0;
}

static void verify(char* base) {
    for (int number = 0; number < check_ranks; ++number) {
        size_t at = 0;
        while (at < piece + tail && *word_at(base, number, at) == word_of(number, check_rank, at))
            at += 4;
        check(at == piece + tail, "block from %d is wrong at byte %zu of its own memory", number,
              at);
    }
}

static void exchange(const char* sent, char* received, int with_large_counts) {
    if (with_large_counts) {
#ifdef HAVE_LARGE_COUNTS
        const MPI_Count count = (MPI_Count)block;
        MPI_Alltoall_c(sent, count, MPI_BYTE, received, count, MPI_BYTE, MPI_COMM_WORLD);
#endif
        return;
    }
    MPI_Datatype megabyte;
    MPI_Type_contiguous(1 << 20, MPI_BYTE, &megabyte);
    MPI_Type_commit(&megabyte);
    const int count = (int)(block >> 20);
    MPI_Alltoall(sent, count, megabyte, received, count, megabyte, MPI_COMM_WORLD);
    MPI_Type_free(&megabyte);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    check_begin();
    if (argc < 2) MPI_Abort(MPI_COMM_WORLD, 2);
    char *sent = make_buffer(), *received = make_buffer();
    fill(sent, 1);
    for (int argument = 2; argument < argc; ++argument) {
        struct candidate candidate = parse_candidate(argv[argument]);
        choose(&candidate);
        in_case("%s: %zu bytes for each pair, by %s", candidate.choice, block, argv[1]);
        fill(received, 0);
        exchange(sent, received, strcmp(argv[1], "counts") == 0);
        verify(received);
        check_ran(&candidate, check_ranks, 0);
    }
    int code = check_end();
    MPI_Finalize();
    return code;
}

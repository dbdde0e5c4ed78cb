/* Buffers in "device memory" on all ranks, on one, and for one side only: the host gets the call,
 * all ranks alike, and says why.
 *
 * usage: device PATH_OF_LIBCUDA [CANDIDATE...] */
#include "exchange.h"
#include "tasuki_control.h"

enum { count = 50 };

static void (*set_device_range)(void*, unsigned long);

/* `rank` -1: all ranks have device buffers; -2: none. */
static void run(const struct candidate* candidate, int rank, int send_side, int receive_side) {
    const int has_device = rank == -1 || rank == check_rank;
    const size_t words = (size_t)check_ranks * count;
    int* memory = calloc(3 * words, sizeof(int));
    int *sent = memory, *received = memory + 2 * words;
    const size_t bytes = words * sizeof(int);
    in_case("%s: device memory on %d, send %d, receive %d", candidate->choice, rank, send_side,
            receive_side);
    if (!has_device)
        set_device_range(NULL, 0);
    else if (send_side && receive_side)
        set_device_range(memory, 3 * bytes);
    else if (send_side)
        set_device_range(sent, bytes);
    else
        set_device_range(received, bytes);
    for (uint32_t call = 0; call < 3; ++call) {
        fill_exchange(sent, check_rank, check_ranks, count, call);
        memset(received, 0, bytes);
        MPI_Alltoall(sent, count, MPI_INT, received, count, MPI_INT, MPI_COMM_WORLD);
        check(is_exchanged(received, check_rank, check_ranks, count, call), "wrong data");
        if (rank == -2 || begins_with_name(candidate->choice, "native"))
            check_ran(candidate, check_ranks, 0);
        else
            check_passed_to_host("device");
    }
    free(memory);
}

int main(int argc, char** argv) {
    /* Late, as programs load it that use a GPU only if there is one. */
    void* cuda = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL) : NULL;
    MPI_Init(&argc, &argv);
    check_begin();
    if (!cuda) MPI_Abort(MPI_COMM_WORLD, 2);
    *(void**)&set_device_range = dlsym(cuda, "fake_device_range");
    for (int argument = 2; argument < argc; ++argument) {
        struct candidate candidate = parse_candidate(argv[argument]);
        choose(&candidate);
        run(&candidate, -2, 0, 0);
        run(&candidate, -1, 1, 1);
        run(&candidate, 0, 1, 1);
        run(&candidate, check_ranks - 1, 1, 0);
        run(&candidate, check_ranks / 2, 0, 1);
        run(&candidate, -2, 0, 0);
    }
    int code = check_end();
    MPI_Finalize();
    return code;
}

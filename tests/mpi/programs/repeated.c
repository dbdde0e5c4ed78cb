/* The same call again and again, as in an application's loop: what is prepared for it on one rank
 * meets ranks that prepare nothing, because their buffers change, or that began at another call.
 *
 * usage: repeated CHOICE... */
#include "exchange.h"
#include "tasuki_control.h"

enum { calls = 60, largest = 20000 };

/* In call i this rank uses the same buffers again where (i + rank) % `changes` is not 0. */
static void repeat(MPI_Comm comm, int count, int changes, uint32_t seed) {
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const size_t ints = (size_t)ranks * (size_t)count;
    int* sent = malloc((ints + calls) * sizeof(int));
    int* received = malloc((ints + calls) * sizeof(int));
    size_t offset = 0;
    for (int i = 0; i < calls; ++i) {
        in_case("%d ints, call %d, other buffers every %d", count, i, changes);
        if ((i + rank) % changes == 0) ++offset;
        fill_exchange(sent + offset, rank, ranks, count, seed + (uint32_t)i);
        memset(received + offset, 0, ints * sizeof(int));
        int code =
            MPI_Alltoall(sent + offset, count, MPI_INT, received + offset, count, MPI_INT, comm);
        check(code == MPI_SUCCESS, "MPI_Alltoall gave %d", code);
        check(is_exchanged(received + offset, rank, ranks, count, seed + (uint32_t)i),
              "wrong data");
    }
    free(sent), free(received);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    check_begin();
    for (int i = 1; i < argc; ++i) {
        const struct candidate candidate = parse_candidate(argv[i]);
        choose(&candidate);
        const int counts[] = {1, 300, largest};
        for (int c = 0; c < 3; ++c) {
            MPI_Comm comm;
            MPI_Comm_dup(MPI_COMM_WORLD, &comm);
            repeat(comm, counts[c], 1000, 1);
            repeat(comm, counts[c], 7, 1000);
            repeat(comm, counts[c], 1 + 40 * (check_rank % 2), 2000);
            MPI_Comm_free(&comm);
        }
    }
    const int code = check_end();
    MPI_Finalize();
    return code;
}

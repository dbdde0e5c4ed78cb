/* heads_and_tails LARGER: 16 calls of each v-form with blocks of 8 bytes, but LARGER bytes in calls
 * 5 and 6, between those at which the ranks agree on sizes; in call 7 nobody has anything. */
#include "check.h"

enum { calls = 16, most_ranks = 16, most_bytes = 4096 };

static unsigned char sent[most_ranks * most_bytes], received[most_ranks * most_bytes];
static int counts[most_ranks], places[most_ranks];

/* What stands at `at` of the block from one rank to another. */
static unsigned char byte_of(int call, int from, int to, int at) {
    return (unsigned char)(call * 3 + from * 7 + to * 13 + at);
}

static void check_block(int call, int from, int to, const unsigned char* block, int bytes) {
    int at = 0;
    while (at < bytes && block[at] == byte_of(call, from, to, at)) ++at;
    check(at == bytes, "the block of rank %d for %d differs at byte %d of %d", from, to, at, bytes);
}

static void call_all(int call, int bytes, MPI_Comm comm) {
    const int root = call % check_ranks;
    in_case("call %d of %d bytes", call, bytes);
    for (int rank = 0; rank < check_ranks; ++rank) {
        counts[rank] = bytes;
        places[rank] = rank * most_bytes;
        for (int at = 0; at < bytes; ++at)
            sent[places[rank] + at] = byte_of(call, check_rank, rank, at);
    }
    MPI_Alltoallv(sent, counts, places, MPI_BYTE, received, counts, places, MPI_BYTE, comm);
    for (int rank = 0; rank < check_ranks; ++rank)
        check_block(call, rank, check_rank, received + places[rank], bytes);
    memset(received, 0, sizeof received);
    MPI_Gatherv(sent + places[root], bytes, MPI_BYTE, received, counts, places, MPI_BYTE, root,
                comm);
    for (int rank = 0; rank < check_ranks && root == check_rank; ++rank)
        check_block(call, rank, root, received + places[rank], bytes);
    memset(received, 0, sizeof received);
    MPI_Scatterv(sent, counts, places, MPI_BYTE, received, bytes, MPI_BYTE, root, comm);
    check_block(call, root, check_rank, received, bytes);
}

int main(int argc, char** argv) {
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    check_begin();
    if (argc != 2 || check_ranks > most_ranks || atoi(argv[1]) > most_bytes) return 2;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int call = 1; call <= calls; ++call) {
        int bytes = call == 5 || call == 6 ? atoi(argv[1]) : call == 7 ? 0 : 8;
        call_all(call, bytes, comm);
    }
    MPI_Comm_free(&comm);
    int code = check_end();
    MPI_Finalize();
    return code;
}

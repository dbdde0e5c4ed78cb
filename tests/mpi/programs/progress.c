/* MPI's rule of progress: a rank that waits inside a collective must let the messages go on that
 * its program has under way, or a peer that waits for them before it joins never comes.
 *
 * usage: progress CHOICE... */
#include "exchange.h"
#include "tasuki_control.h"

enum { large = 4 << 20 };

static void one_round(int round, uint32_t seed) {
    static char bytes[large];
    MPI_Request request = MPI_REQUEST_NULL;
    const int sender = round % check_ranks;
    if (check_rank == sender) {
        memset(bytes, round + 1, large);
        MPI_Isend(bytes, large, MPI_CHAR, (sender + 1) % check_ranks, 5, MPI_COMM_WORLD, &request);
    } else if (check_rank == (sender + 1) % check_ranks) {
        MPI_Recv(bytes, large, MPI_CHAR, sender, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        check(bytes[0] == round + 1 && bytes[large - 1] == round + 1, "wrong bytes");
    }
    check_exchange(MPI_COMM_WORLD, 100, seed);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    check_begin();
    for (int i = 1; i < argc; ++i) {
        const struct candidate candidate = parse_candidate(argv[i]);
        choose(&candidate);
        for (int round = 0; round < 6 && check_ranks > 1; ++round) {
            in_case("%s, round %d", argv[i], round);
            one_round(round, (uint32_t)(100 * i + round));
        }
    }
    const int code = check_end();
    MPI_Finalize();
    return code;
}

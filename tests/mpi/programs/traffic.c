/* The user's own messages, receives from anywhere with any tag among them, are under way on the
 * same communicator while all-to-all runs: neither takes anything from the other.
 *
 * usage: traffic [CANDIDATE...] */
#include "exchange.h"
#include "tasuki_control.h"

enum { pending = 20, words = 3000, tags = 4 };

static int sent[pending][words], received[pending][words];

static void run(const struct candidate* candidate, uint32_t round) {
    MPI_Request requests[2 * pending];
    MPI_Status status;
    const int next = (check_rank + 1) % check_ranks;
    const int previous = (check_rank + check_ranks - 1) % check_ranks;
    for (int i = 0; i < pending / 2; ++i)
        MPI_Irecv(received[i], words, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                  &requests[i]);
    check_exchange(MPI_COMM_WORLD, 1, round);
    check_ran(candidate, check_ranks, 0);
    /* Even ones are short, odd ones long. */
    for (int i = 0; i < pending; ++i) {
        for (int word = 0; word < words; ++word)
            sent[i][word] = exchanged(check_rank, i, word, round);
        MPI_Isend(sent[i], i % 2 ? words : 1, MPI_INT, next, i % tags, MPI_COMM_WORLD,
                  &requests[pending + i]);
        check_exchange(MPI_COMM_WORLD, i * 150, round + (uint32_t)i);
    }
    for (int i = pending / 2; i < pending; ++i)
        MPI_Irecv(received[i], words, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                  &requests[i]);
    check_exchange(MPI_COMM_WORLD, 700, round + pending);
    /* All come from one rank: the order of messages is the order of receives. */
    for (int i = 0; i < pending; ++i) {
        int count;
        MPI_Wait(&requests[i], &status);
        MPI_Get_count(&status, MPI_INT, &count);
        check(status.MPI_SOURCE == previous && status.MPI_TAG == i % tags &&
                  count == (i % 2 ? words : 1),
              "message %d came from %d with tag %d and %d ints", i, status.MPI_SOURCE,
              status.MPI_TAG, count);
        check(received[i][count - 1] == exchanged(previous, i, count - 1, round), "wrong data");
    }
    for (int i = 0; i < pending; ++i) MPI_Wait(&requests[pending + i], MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    check_begin();
    for (int argument = 1; argument < argc; ++argument) {
        struct candidate candidate = parse_candidate(argv[argument]);
        choose(&candidate);
        in_case("%s: other traffic", candidate.choice);
        for (uint32_t round = 0; round < 3; ++round) run(&candidate, 100 * round);
    }
    int code = check_end();
    MPI_Finalize();
    return code;
}

/* All-to-all with more than 2^31 bytes for each pair of ranks.
 *
 * usage: huge {types|counts} [CANDIDATE...]
 *   types   int counts of a large contiguous type
 *   counts  MPI_Alltoall_c of MPI_BYTE, with -DHAVE_LARGE_COUNTS */
#include "huge_memory.h"
#include "tasuki_control.h"

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
    char *sent = make_buffer(check_ranks), *received = make_buffer(check_ranks);
    for (int to = 0; to < check_ranks; ++to) fill_block(sent, to, check_rank, to);
    for (int argument = 2; argument < argc; ++argument) {
        struct candidate candidate = parse_candidate(argv[argument]);
        choose(&candidate);
        in_case("%s: %zu bytes for each pair, by %s", candidate.choice, block, argv[1]);
        for (int from = 0; from < check_ranks; ++from) clear_block(received, from);
        exchange(sent, received, strcmp(argv[1], "counts") == 0);
        for (int from = 0; from < check_ranks; ++from)
            check_block(received, from, from, check_rank);
        check_ran(&candidate, check_ranks, 0);
    }
    int code = check_end();
    MPI_Finalize();
    return code;
}

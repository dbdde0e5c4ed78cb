/* Calls that come again whose types, where they do not count, are no types: at ranks other than the
 * root, and of what is in place.
 *
 * usage: unused_types CALLS */
#include "check.h"

enum { MOST_RANKS = 16 };

static MPI_Datatype no_type(void) {
    MPI_Datatype type;
    memset(&type, 0x5a, sizeof type);
    return type;
}

static void call(int number) {
    int values[MOST_RANKS], own = 100 * check_rank + number, got = -1;
    int is_root = check_rank == 0;
    MPI_Datatype of_root = is_root ? MPI_INT : no_type();
    for (int in_place = 0; in_place < 2; ++in_place) {
        int here = in_place && is_root;
        values[0] = own;
        MPI_Gather(here ? MPI_IN_PLACE : &own, 1, here ? no_type() : MPI_INT, values, 1, of_root, 0,
                   MPI_COMM_WORLD);
        for (int rank = 0; rank < check_ranks && is_root; ++rank)
            check(values[rank] == 100 * rank + number, "gather %d of %d", number, rank);
        MPI_Scatter(values, 1, of_root, here ? MPI_IN_PLACE : &got, 1, here ? no_type() : MPI_INT,
                    0, MPI_COMM_WORLD);
        check(here || got == own, "scatter %d", number);
        values[check_rank] = own;
        MPI_Allgather(in_place ? MPI_IN_PLACE : &own, 1, in_place ? no_type() : MPI_INT, values, 1,
                      MPI_INT, MPI_COMM_WORLD);
        for (int rank = 0; rank < check_ranks; ++rank)
            check(values[rank] == 100 * rank + number, "allgather %d of %d", number, rank);
    }
    for (int rank = 0; rank < check_ranks; ++rank) values[rank] = own + 10000 * rank;
    MPI_Alltoall(MPI_IN_PLACE, 1, no_type(), values, 1, MPI_INT, MPI_COMM_WORLD);
    for (int rank = 0; rank < check_ranks; ++rank)
        check(values[rank] == 100 * rank + number + 10000 * check_rank, "alltoall %d", number);
}

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    MPI_Init(&argc, &argv);
    check_begin();
    for (int number = 0; number < atoi(argv[1]); ++number) call(number);
    int code = check_end();
    MPI_Finalize();
    return code;
}

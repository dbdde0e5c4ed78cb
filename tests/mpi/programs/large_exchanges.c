/* All-to-alls of a few bytes to some megabytes for each rank, so that every path of the memory
 * transport is met, each twice.
 *
 * usage: large_exchanges [MOST_BYTES] */
#include "exchange.h"
#include "tasuki_control.h"

int main(int argc, char** argv) {
    const int most = argc > 1 ? atoi(argv[1]) : 6000000;
    const int sizes[] = {8, 3000, 40000, 500000, 2000000, 6000000};
    MPI_Init(&argc, &argv);
    check_begin();
    has_tasuki();
    for (int call = 0; call < 2 * (int)(sizeof sizes / sizeof *sizes); ++call) {
        const int bytes = sizes[call / 2];
        if (bytes > most) break;
        in_case("%d bytes", bytes);
        check_exchange(MPI_COMM_WORLD, bytes / (int)sizeof(int), (uint32_t)call);
    }
    if (check_rank == 0) printf("ran %s\n", last_algorithm());
    const int code = check_end();
    MPI_Finalize();
    return code;
}

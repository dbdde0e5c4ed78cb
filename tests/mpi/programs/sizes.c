/* Sums of vectors of growing length, CALLS of each.
 *
 * usage: sizes CALLS */
#include "check.h"

enum { smallest = 2048, largest = 16384 };

int main(int arguments, char** argument) {
    static double mine[largest], sums[largest];
    MPI_Init(&arguments, &argument);
    check_begin();
    const int calls = atoi(argument[1]);
    for (int count = smallest; count <= largest; count *= 2) {
        for (int call = 0; call < calls; ++call) {
            in_case("%d doubles, call %d", count, call);
            for (int i = 0; i < count; ++i) mine[i] = check_rank + i + call;
            MPI_Allreduce(mine, sums, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
            const double others = check_ranks * (check_ranks - 1) / 2.0;
            for (int i = 0; i < count; ++i)
                check(sums[i] == others + (double)check_ranks * (i + call), "%d: %g", i, sums[i]);
        }
    }
    int code = check_end();
    MPI_Finalize();
    return code;
}

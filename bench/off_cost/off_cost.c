/* Calls MPI_Alltoall BATCHES times CALLS times and writes the nanoseconds that a call took in each
 * batch, one a line. Linked to the stub host, so that nothing but the way to the host is timed.
 *
 * usage: off_cost BATCHES CALLS */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "../common/clock.h"

static double nanoseconds(void) {
    return 1e9 * monotonic_seconds();
}

int main(int argc, char** argv) {
    int batches = argc == 3 ? atoi(argv[1]) : 0;
    int calls = argc == 3 ? atoi(argv[2]) : 0;
    if (batches < 1 || calls < 1) {
        fprintf(stderr, "usage: off_cost BATCHES CALLS\n");
        return 2;
    }
    MPI_Init(&argc, &argv);
    int send = 1, receive = 0;
    MPI_Alltoall(&send, 1, MPI_INT, &receive, 1, MPI_INT, MPI_COMM_WORLD); /* binds the symbols */
    for (int batch = 0; batch < batches; ++batch) {
        double began = nanoseconds();
        for (int call = 0; call < calls; ++call)
            MPI_Alltoall(&send, 1, MPI_INT, &receive, 1, MPI_INT, MPI_COMM_WORLD);
        printf("%.4f\n", (nanoseconds() - began) / calls);
    }
    MPI_Finalize();
    return 0;
}

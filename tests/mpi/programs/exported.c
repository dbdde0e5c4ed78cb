/* MPI_Alltoall of each size that is named, on the host alone: says whether the data is right. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 1; i < argc; ++i) {
        const int bytes = atoi(argv[i]);
        char *outgoing = malloc((size_t)ranks * bytes), *incoming = calloc((size_t)ranks, bytes);
        if (!outgoing || !incoming) MPI_Abort(MPI_COMM_WORLD, 1);
        memset(outgoing, rank + 1, (size_t)ranks * bytes);
        MPI_Alltoall(outgoing, bytes, MPI_BYTE, incoming, bytes, MPI_BYTE, MPI_COMM_WORLD);
        int right = 1, all;
        for (int from = 0; from < ranks; ++from)
            for (int k = 0; k < bytes; ++k) right &= incoming[from * bytes + k] == from + 1;
        MPI_Allreduce(&right, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
        if (rank == 0) printf("%d %s\n", bytes, all ? "right" : "wrong");
        fflush(stdout);
        free(outgoing);
        free(incoming);
    }
    if (rank == 0) printf("ok\n");
    MPI_Finalize();
    return 0;
}

/* A call of each COLLECTIVE:BYTES that is named (BYTES alone: of alltoall), on the host alone: says
 * whether the data is right. Bytes are counted as decisions count them. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int rank, ranks;

static char* room(size_t bytes, int value) {
    char* const bytes_of_room = malloc(bytes ? bytes : 1);
    if (!bytes_of_room) MPI_Abort(MPI_COMM_WORLD, 1);
    return memset(bytes_of_room, value, bytes);
}

/* `blocks` blocks that hold their number, from 1 on. */
static int are_numbered(const char* data, int blocks, int bytes) {
    int right = 1;
    for (int block = 0; block < blocks; ++block)
        for (int k = 0; k < bytes; ++k) right &= data[(size_t)block * bytes + k] == block + 1;
    return right;
}

static int alltoall(int bytes) {
    char *outgoing = room((size_t)ranks * bytes, rank + 1),
         *incoming = room((size_t)ranks * bytes, 0);
    MPI_Alltoall(outgoing, bytes, MPI_BYTE, incoming, bytes, MPI_BYTE, MPI_COMM_WORLD);
    const int right = are_numbered(incoming, ranks, bytes);
    free(outgoing);
    free(incoming);
    return right;
}

static int allgather(int bytes, int in_place) {
    const int block = bytes / ranks;
    char *mine = room(block, rank + 1), *all = room((size_t)ranks * block, 0);
    memset(all + (size_t)rank * block, rank + 1, block);
    /* What is said of a buffer that is not used may differ. */
    if (in_place)
        MPI_Allgather(MPI_IN_PLACE, 1000 * rank, MPI_BYTE, all, block, MPI_BYTE, MPI_COMM_WORLD);
    else
        MPI_Allgather(mine, block, MPI_BYTE, all, block, MPI_BYTE, MPI_COMM_WORLD);
    const int right = are_numbered(all, ranks, block);
    free(mine);
    free(all);
    return right;
}

static int bcast(int bytes) {
    char* vector = room(bytes, rank == 0);
    MPI_Bcast(vector, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    const int right = are_numbered(vector, 1, bytes);
    free(vector);
    return right;
}

/* Keeps the operand on the left, so that it does not commute. */
static void keep_left(void* left, void* right, int* count, MPI_Datatype* type) {
    (void)type;
    memcpy(right, left, (size_t)*count);
}

static int allreduce(int bytes, int commutes) {
    char *mine = room(bytes, commutes ? 1 : rank + 1), *sum = room(bytes, 0);
    MPI_Op left;
    MPI_Op_create(keep_left, 0, &left);
    MPI_Allreduce(mine, sum, bytes, commutes ? MPI_SIGNED_CHAR : MPI_BYTE,
                  commutes ? MPI_SUM : left, MPI_COMM_WORLD);
    int right = 1;
    for (int k = 0; k < bytes; ++k) right &= sum[k] == (commutes ? ranks : 1);
    MPI_Op_free(&left);
    free(mine);
    free(sum);
    return right;
}

static int call(const char* collective, int bytes) {
    if (!strcmp(collective, "alltoall")) return alltoall(bytes);
    if (!strcmp(collective, "allgather")) return allgather(bytes, 0);
    if (!strcmp(collective, "allgather-in-place")) return allgather(bytes, 1);
    if (!strcmp(collective, "bcast")) return bcast(bytes);
    if (!strcmp(collective, "allreduce")) return allreduce(bytes, 1);
    if (!strcmp(collective, "allreduce-in-order")) return allreduce(bytes, 0);
    return 0;
}

/* The next call may end the program, and a launcher that hears of it loses what it has not read
 * from the ranks, or not passed on. */
static void wait_until_read(void) {
    int unread = 0;
    fflush(stdout);
    for (int polls = 0; polls < 1000; ++polls) {
        if (ioctl(STDOUT_FILENO, FIONREAD, &unread) != 0 || unread == 0) break;
        usleep(10000);
    }
    usleep(100000);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 1; i < argc; ++i) {
        char collective[32] = "alltoall";
        int bytes = 0, all;
        if (sscanf(argv[i], "%31[a-z-]:%d", collective, &bytes) != 2) bytes = atoi(argv[i]);
        int right = call(collective, bytes);
        MPI_Allreduce(&right, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
        if (rank == 0) {
            printf("%s %s\n", argv[i], all ? "right" : "wrong");
            wait_until_read();
        }
        /* The others wait for that, in a call that has just worked. */
        MPI_Allreduce(&right, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    }
    if (rank == 0) printf("ok\n");
    MPI_Finalize();
    return 0;
}

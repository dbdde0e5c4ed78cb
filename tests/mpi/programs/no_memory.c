/* The last rank has no memory for what an algorithm needs beside the program's buffers. Errors
 * return, and yet the other ranks must not wait for ever.
 *
 * usage: no_memory */
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"

/* From now on this process gets no more than `more` bytes of address space. */
static void limit_memory(size_t more) {
    long pages = 0;
    FILE* file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld", &pages) != 1) MPI_Abort(MPI_COMM_WORLD, 3);
    fclose(file);
    const rlim_t bytes = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + more;
    const struct rlimit limit = {bytes, bytes};
    setrlimit(RLIMIT_AS, &limit);
}

int main(int argc, char** argv) {
    enum { block = 16 << 20 };
    MPI_Init(&argc, &argv);
    check_begin();
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    char *sent = calloc((size_t)check_ranks, block), *received = calloc((size_t)check_ranks, block);
    MPI_Barrier(MPI_COMM_WORLD);
    if (check_rank == check_ranks - 1) limit_memory(block);
    MPI_Alltoall(sent, block, MPI_CHAR, received, block, MPI_CHAR, MPI_COMM_WORLD);
    int code = check_end();
    MPI_Finalize();
    return code;
}

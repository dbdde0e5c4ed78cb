/* Many communicators at the same time, whose messages are carried by memory: what they map
 * together, and that it is given back.
 *
 * usage: memory_limit BYTES     what TASUKI_MEMORY_LIMIT is */
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "exchange.h"
#include "tasuki_control.h"

enum { held = 12 };

/* Bytes of the memory that this rank has made for others to map. */
static long shared(void) {
    long bytes = 0;
    DIR* folder = opendir("/proc/self/fd");
    for (const struct dirent* entry; folder && (entry = readdir(folder));) {
        char path[300], name[300];
        snprintf(path, sizeof path, "/proc/self/fd/%s", entry->d_name);
        const ssize_t length = readlink(path, name, sizeof name - 1);
        struct stat file;
        if (length <= 0 || stat(path, &file) != 0) continue;
        name[length] = 0;
        if (strstr(name, "memfd:tasuki")) bytes += file.st_size;
    }
    if (folder) closedir(folder);
    return bytes;
}

/* How much the first of them has taken. In another order of ranks than the world's, so that nothing
 * is kept for its next copy. */
static long hold_and_free(long limit) {
    MPI_Comm comms[held];
    long first = 0;
    int by_memory = 0;
    for (int number = 0; number < held; ++number) {
        const long before = shared();
        MPI_Comm_split(MPI_COMM_WORLD, 0, -check_rank, &comms[number]);
        check_exchange(comms[number], 200, (uint32_t)number);
        const int is_by_memory = strstr(last_algorithm(), "carrier=memory") != NULL;
        if (number == 0) first = shared() - before;
        by_memory += is_by_memory;
        check(shared() <= limit, "%ld bytes are shared, and %ld allowed", shared(), limit);
        check((shared() > before) == is_by_memory, "%s ran, and %ld bytes more are shared",
              last_algorithm(), shared() - before);
    }
    for (int number = 0; number < held; ++number) {
        MPI_Comm* comm = &comms[number * 5 % held];
        check_exchange(*comm, 200, 1000);
        MPI_Comm_free(comm);
    }
    if (!has_tasuki()) return 0;
    check(first > 0 && first <= limit / 6, "the first has %ld bytes of %ld", first, limit);
    check(by_memory > 3 && by_memory < held, "%d of %d by memory", by_memory, held);
    return first;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    check_begin();
    if (argc < 2) MPI_Abort(MPI_COMM_WORLD, 2);
    const long limit = atol(argv[1]), before = shared();
    long first = 0;
    for (int round = 0; round < 2; ++round) {
        in_case("round %d", round);
        const long now = hold_and_free(limit);
        if (round == 0) first = now;
        check(now == first, "the first had %ld bytes, and has %ld now", first, now);
        check(shared() == before, "%ld bytes are still shared", shared() - before);
    }
    const int code = check_end();
    MPI_Finalize();
    return code;
}

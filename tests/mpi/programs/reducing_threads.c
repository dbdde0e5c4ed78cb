/* Threads that reduce on communicators of their own at the same time, every other of which has a
 * mode of its own. */
#include <pthread.h>

#include "tasuki_control.h"

enum { threads = 4, calls = 10, most = 500 };

struct work {
    pthread_t thread;
    MPI_Comm comm;
    int number;
};

static void* reduce(void* argument) {
    struct work* work = argument;
    const int is_exact = work->number % 2;
    in_case("thread %d, %s", work->number, is_exact ? "exact" : "as it comes");
    double mine[most], sums[most];
    for (int at = 0; at < calls; ++at) {
        const int count = 1 + (int)(mix((uint32_t)at, 1, 2, 3) % most);
        for (int i = 0; i < count; ++i) {
            mine[i] = check_rank == 0 ? 1 : check_rank == check_ranks - 1 ? -1 : 0x1p-60;
        }
        MPI_Allreduce(mine, sums, count, MPI_DOUBLE, MPI_SUM, work->comm);
        check(!is_exact || sums[count - 1] == (check_ranks - 2) * 0x1p-60, "thread %d: %g",
              work->number, sums[count - 1]);
        for (int i = 0; i < count; ++i) mine[i] = i;
        MPI_Scan(mine, sums, count, MPI_DOUBLE, MPI_SUM, work->comm);
        check(sums[count - 1] == (count - 1) * (check_rank + 1), "thread %d: %g", work->number,
              sums[count - 1]);
    }
    return NULL;
}

int main(int argc, char** argv) {
    int provided;
    struct work works[threads];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    check_begin();
    in_case("threads that reduce");
    for (int thread = 0; thread < threads; ++thread) {
        MPI_Info info;
        MPI_Info_create(&info);
        if (thread % 2) MPI_Info_set(info, "tasuki_reproducible", "exact");
        works[thread].number = thread;
        MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &works[thread].comm);
        MPI_Info_free(&info);
    }
    for (int thread = 0; thread < threads && provided == MPI_THREAD_MULTIPLE; ++thread) {
        pthread_create(&works[thread].thread, NULL, reduce, &works[thread]);
    }
    for (int thread = 0; thread < threads; ++thread) {
        if (provided == MPI_THREAD_MULTIPLE) pthread_join(works[thread].thread, NULL);
        MPI_Comm_free(&works[thread].comm);
    }
    int code = check_end();
    MPI_Finalize();
    return code;
}

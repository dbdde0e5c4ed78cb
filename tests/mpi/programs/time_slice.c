/* How long this thread, and one that it starts, keep a core that others want: rank 0 writes
 * "slice NANOSECONDS NANOSECONDS policy NUMBER nice NUMBER". 0 nanoseconds: Linux does not tell.
 *
 * usage: time_slice [idle] */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"

struct attributes {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
    uint32_t utilisation[2];
};

static struct attributes of_this_thread(void) {
    struct attributes attributes = {.size = sizeof attributes}, none = {0};
    const long code = syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0);
    return code == 0 ? attributes : none;
}

static void* tell(void* runtime) {
    *(uint64_t*)runtime = of_this_thread().runtime;
    return NULL;
}

int main(int argc, char** argv) {
    if (argc > 1) {
        const struct sched_param none = {0};
        if (sched_setscheduler(0, SCHED_IDLE, &none) != 0) abort();
    }
    MPI_Init(&argc, &argv);
    check_begin();
    pthread_t thread;
    uint64_t later = 0;
    if (pthread_create(&thread, NULL, tell, &later) != 0) abort();
    pthread_join(thread, NULL);
    const struct attributes now = of_this_thread();
    if (check_rank == 0)
        printf("slice %llu %llu policy %u nice %d\n", (unsigned long long)now.runtime,
               (unsigned long long)later, now.policy, now.nice);
    const int code = check_end();
    MPI_Finalize();
    return code;
}

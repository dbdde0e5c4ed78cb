/* A clock for Tasuki, in a library to be preloaded, that does not depend on what the machine does:
 * it goes on by what is told, once in the next exchange, and by 0.2 ms more where that is the MPI
 * library's own. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <mpi.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const int64_t of_host = 200000;

static int64_t now; /* nanoseconds */
static int64_t next_wait;

void next_exchange_waits(int64_t nanoseconds);
void next_exchange_waits(int64_t nanoseconds) {
    next_wait = nanoseconds;
}

static void wait(void) {
    now += next_wait;
    next_wait = 0;
}

/* Tasuki reads the system's clock where that is not by the processor's counter. */
FILE* fopen64(const char* path, const char* mode) {
    static FILE* (*own)(const char*, const char*);
    if (strstr(path, "current_clocksource")) {
        errno = ENOENT;
        return NULL;
    }
    if (!own) *(void**)&own = dlsym(RTLD_NEXT, "fopen64");
    return own(path, mode);
}

int clock_gettime(clockid_t clock, struct timespec* time) {
    static int (*own)(clockid_t, struct timespec*);
    if (!own) *(void**)&own = dlsym(RTLD_NEXT, "clock_gettime");
    Dl_info caller;
    const int is_tasuki = dladdr(__builtin_return_address(0), &caller) && caller.dli_fname &&
                          strstr(caller.dli_fname, "libtasuki-");
    if (clock != CLOCK_MONOTONIC || !is_tasuki) return own(clock, time);
    time->tv_sec = now / 1000000000;
    time->tv_nsec = now % 1000000000;
    return 0;
}

/* The MPI library's own. */
int MPI_Alltoall(const void* sent, int sent_count, MPI_Datatype sent_type, void* received,
                 int received_count, MPI_Datatype received_type, MPI_Comm communicator) {
    wait();
    now += of_host;
    return PMPI_Alltoall(sent, sent_count, sent_type, received, received_count, received_type,
                         communicator);
}

/* What Tasuki's exchanges begin with, the first time and again. */
int PMPI_Isend(const void* buffer, int count, MPI_Datatype type, int peer, int tag,
               MPI_Comm communicator, MPI_Request* request) {
    static int (*own)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
    if (!own) *(void**)&own = dlsym(RTLD_NEXT, "PMPI_Isend");
    wait();
    return own(buffer, count, type, peer, tag, communicator, request);
}

int PMPI_Startall(int count, MPI_Request* requests) {
    static int (*own)(int, MPI_Request*);
    if (!own) *(void**)&own = dlsym(RTLD_NEXT, "PMPI_Startall");
    wait();
    return own(count, requests);
}

/* What they wait by: with this clock for ever without giving the core away. */
int PMPI_Testsome(int count, MPI_Request* requests, int* done, int* which, MPI_Status* statuses) {
    static int (*own)(int, MPI_Request*, int*, int*, MPI_Status*);
    if (!own) *(void**)&own = dlsym(RTLD_NEXT, "PMPI_Testsome");
    const int code = own(count, requests, done, which, statuses);
    if (*done == 0) sched_yield();
    return code;
}

int PMPI_Testall(int count, MPI_Request* requests, int* done, MPI_Status* statuses) {
    static int (*own)(int, MPI_Request*, int*, MPI_Status*);
    if (!own) *(void**)&own = dlsym(RTLD_NEXT, "PMPI_Testall");
    const int code = own(count, requests, done, statuses);
    if (*done == 0) sched_yield();
    return code;
}

/* Collectives whose number and sizes a test knows, for the report of the run.
 *
 * usage: reported CALLS [never-finalized|threads]
 * REMOVE_FOLDER: an empty folder that goes while the program runs
 * LATE_MILLISECONDS: how late rank 0 is for the tenth all-to-all */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

static char buffer[2][1 << 20];

static void call_all(int calls, MPI_Comm all, MPI_Comm row, MPI_Comm column) {
    double number = 1, sum = 0;
    const int late = check_rank == 0 && getenv("LATE_MILLISECONDS")
                         ? 1000 * atoi(getenv("LATE_MILLISECONDS"))
                         : 0;
    for (int call = 0; call < calls; ++call) {
        if (call == 9 && late) usleep(late);
        MPI_Alltoall(buffer[0], 512, MPI_BYTE, buffer[1], 512, MPI_BYTE, all);
        MPI_Allreduce(&number, &sum, 1, MPI_DOUBLE, MPI_SUM, all);
        if (call % 2 == 0) MPI_Bcast(buffer[0], 5000, MPI_BYTE, 0, row);
        MPI_Barrier(column);
        MPI_Bcast(buffer[0], 0, MPI_BYTE, 0, row);
    }
    int ranks;
    MPI_Comm_size(all, &ranks);
    check(sum == ranks, "the sum is %g", sum);
    int counts[64], places[64];
    for (int rank = 0; rank < ranks; ++rank) {
        counts[rank] = 100;
        places[rank] = 100 * rank;
    }
    MPI_Alltoallv(buffer[0], counts, places, MPI_BYTE, buffer[1], counts, places, MPI_BYTE, all);
}

struct part {
    MPI_Comm communicator;
    int calls;
};

static void* call_on_one(void* argument) {
    const struct part* part = argument;
    for (int call = 0; call < part->calls; ++call)
        MPI_Alltoall(buffer[0], 64, MPI_BYTE, buffer[1], 64, MPI_BYTE, part->communicator);
    return NULL;
}

/* Two threads, each with its communicator; they make them in any order. */
static void call_on_threads(int calls) {
    struct part parts[2] = {{.calls = calls}, {.calls = 2 * calls}};
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &parts[i].communicator);
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, call_on_one, &parts[i]);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    for (int i = 0; i < 2; ++i) MPI_Comm_free(&parts[i].communicator);
}

int main(int argc, char** argv) {
    const int calls = argc > 1 ? atoi(argv[1]) : 40;
    const char* way = argc > 2 ? argv[2] : "";
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    check_begin();
    if (strcmp(way, "threads") == 0) {
        if (provided == MPI_THREAD_MULTIPLE) call_on_threads(calls);
    } else {
        MPI_Comm row, column;
        MPI_Comm_split(MPI_COMM_WORLD, check_rank / 2, check_rank, &row);
        MPI_Comm_split(MPI_COMM_WORLD, check_rank % 2, check_rank, &column);
        MPI_Comm_set_name(row, "rows <of> the \"grid\"");
        call_all(calls, MPI_COMM_WORLD, row, column);
        MPI_Comm_free(&row); /* the column lives until the end */
    }
    if (check_rank == 0 && getenv("REMOVE_FOLDER")) rmdir(getenv("REMOVE_FOLDER"));
    const int code = check_end(); /* one allreduce of 8 B more */
    if (strcmp(way, "never-finalized") == 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        fflush(stdout);
        _Exit(code);
    }
    MPI_Finalize();
    return code;
}

/* How programs begin and end.
 *
 * usage: life WAY [NUMBER]
 *   no-init      asks MPI what may be asked before MPI_Init, and ends without it
 *   no-alltoall  never calls all-to-all
 *   exit         returns NUMBER after MPI_Finalize
 *   exit-early   returns NUMBER without MPI_Finalize, on all ranks
 *   atexit       calls MPI_Finalize from an atexit() handler
 *   abort        rank 0 calls MPI_Abort(NUMBER) while the others are in all-to-all; it prints
 *                "now" first
 *   signal       the last rank sends itself signal NUMBER while the others are in all-to-all
 *   wait         exchanges blocks of NUMBER bytes until it is killed; each rank prints its process
 *                id first
 *   once         one all-to-all; rank 0 prints "initialized" and what ran */
#include <signal.h>
#include <unistd.h>

#include "exchange.h"
#include "tasuki_control.h"

static void check_flags(int initialized, int finalized) {
    int is_initialized, is_finalized;
    MPI_Initialized(&is_initialized);
    MPI_Finalized(&is_finalized);
    check(is_initialized == initialized && is_finalized == finalized,
          "MPI_Initialized %d, MPI_Finalized %d", is_initialized, is_finalized);
}

static int before_init(void) {
    int version, subversion, length;
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    in_case("before MPI_Init");
    MPI_Get_version(&version, &subversion);
    MPI_Get_library_version(text, &length);
    check(version >= 3 && length > 0, "MPI %d.%d", version, subversion);
    check_flags(0, 0);
    return check_failures;
}

static void finalize(void) {
    MPI_Finalize();
}

static void exchange_for_ever(const char* way, int number) {
    const int count = strcmp(way, "wait") == 0 ? number / (int)sizeof(int) : 500;
    for (uint32_t call = 0;; ++call) {
        if (call == 20 && strcmp(way, "abort") == 0 && check_rank == 0) {
            printf("now\n");
            fflush(stdout);
            usleep(200000); /* the others are waiting by then */
            MPI_Abort(MPI_COMM_WORLD, number);
        }
        if (call == 20 && strcmp(way, "signal") == 0 && check_rank == check_ranks - 1)
            raise(number);
        check_exchange(MPI_COMM_WORLD, count, call);
    }
}

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    const char* way = argv[1];
    const int number = argc > 2 ? atoi(argv[2]) : 0;
    if (before_init()) return 1;
    if (strcmp(way, "no-init") == 0) {
        printf("ok, no MPI_Init\n");
        return number;
    }
    MPI_Init(&argc, &argv);
    check_begin();
    check_flags(1, 0);
    if (strcmp(way, "wait") == 0) {
        printf("rank %d is %d\n", check_rank, (int)getpid());
        fflush(stdout);
    }
    if (strcmp(way, "no-alltoall") == 0) {
        check(*last_algorithm() == 0 || !has_tasuki(), "all-to-all ran: %s", last_algorithm());
    } else if (strcmp(way, "once") == 0) {
        check_exchange(MPI_COMM_WORLD, 5, 1);
        if (check_rank == 0) printf("initialized; ran %s\n", last_algorithm());
    } else {
        check_exchange(MPI_COMM_WORLD, 5, 1);
    }
    int exchanges =
        strcmp(way, "abort") == 0 || strcmp(way, "signal") == 0 || strcmp(way, "wait") == 0;
    if (exchanges) exchange_for_ever(way, number);
    if (check_end()) return 1;
    if (strcmp(way, "exit-early") == 0) exit(number);
    if (strcmp(way, "atexit") == 0) {
        atexit(finalize);
        return number;
    }
    MPI_Finalize();
    check_flags(1, 1);
    return check_failures ? 1 : number;
}

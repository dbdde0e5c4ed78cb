/* Exchanges of six sizes on two communicators in turn, by the clock of virtual_clock.c. On the
 * second one the last rank comes 10 ms late to one call of 50, after as many as chance will have
 * it; on the first it never does. All others wait for it, 1 ms in every call, with noise that is
 * the same in each run.
 *
 * usage: slow_rank CALLS
 *
 * CALLS: of each size on each communicator. */
#include "exchange.h"

static const int64_t usual = 1000000, slow = 10000000; /* nanoseconds */

enum { sizes = 6 };

static double uniform(uint32_t call, uint32_t of_what) {
    return mix(1, 2, call, of_what) * 0x1p-32;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    check_begin();
    if (argc < 2) MPI_Abort(MPI_COMM_WORLD, 2);
    const uint32_t calls = (uint32_t)atoi(argv[1]);
    const int is_last = check_rank == check_ranks - 1;
    void (*next_exchange_waits)(int64_t);
    *(void**)&next_exchange_waits = dlsym(RTLD_DEFAULT, "next_exchange_waits");
    MPI_Comm communicators[2];
    for (int i = 0; i < 2; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &communicators[i]);
    for (uint32_t call = 0; call < calls; ++call) {
        for (uint32_t i = 0; i < 2 * sizes; ++i) {
            const int is_second = i % 2 == 1;
            const int count = 1 << (2 * (i / 2));
            in_case("call %u of %d ints on communicator %d", call, count, is_second);
            const int is_late = is_second && uniform(call, i) < 0.02;
            const double noise = 0.95 + 0.1 * uniform(call, 2 * sizes + i);
            const double lateness = (double)usual * noise + (double)(is_late ? slow : 0);
            if (!is_last && next_exchange_waits) next_exchange_waits((int64_t)lateness);
            check_exchange(communicators[is_second], count, call);
        }
    }
    for (int i = 0; i < 2; ++i) MPI_Comm_free(&communicators[i]);
    const int code = check_end();
    MPI_Finalize();
    return code;
}

/* Thousands of communicators, one after the other: nothing of a freed one stays.
 *
 * usage: many_communicators COUNT [CANDIDATE...] */
#include <unistd.h>

#include "exchange.h"
#include "tasuki_control.h"

/* Memory of this process, in KiB. */
static long resident(void) {
    long pages = 0, ignored;
    FILE* file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld %ld", &ignored, &pages) != 2) pages = 0;
    if (file) fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void make_and_free(int count) {
    for (int number = 0; number < count; ++number) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        check_exchange(comm, 3, (uint32_t)number);
        if (number % 16 == 0)
            MPI_Comm_disconnect(&comm);
        else
            MPI_Comm_free(&comm);
    }
}

/* Many at the same time, freed in another order than made. Hosts have some 2,000; Tasuki takes few
 * of them, and says so where it leaves the later ones to the host. */
static void hold_and_free(const struct candidate* candidate) {
    enum { held = 1500, of_tasuki = 300 };
    MPI_Comm comms[held];
    for (int number = 0; number < held; ++number) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[number]);
        check_exchange(comms[number], 2, (uint32_t)number);
        if (number == 0) check_ran(candidate, check_ranks, 0);
        if (number > of_tasuki && !begins_with_name(candidate->choice, "native"))
            check_passed_to_host("none to spare");
    }
    for (int number = 0; number < held; ++number) {
        MPI_Comm* comm = &comms[number * 77 % held];
        check_exchange(*comm, 2, 1000);
        MPI_Comm_free(comm);
    }
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    check_begin();
    if (argc < 2) MPI_Abort(MPI_COMM_WORLD, 2);
    const int count = atoi(argv[1]);
    for (int argument = 2; argument < argc; ++argument) {
        struct candidate candidate = parse_candidate(argv[argument]);
        choose(&candidate);
        in_case("%s: many communicators", candidate.choice);
        hold_and_free(&candidate);
        make_and_free(count / 4);
        long before = resident();
        make_and_free(count);
        long grown = resident() - before;
        check(grown < count * 4L, "%ld KiB more after %d communicators", grown, count);
        check_ran(&candidate, check_ranks, 0);
    }
    int code = check_end();
    MPI_Finalize();
    return code;
}

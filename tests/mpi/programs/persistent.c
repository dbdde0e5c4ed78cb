/* Persistent reductions have the bits of blocking ones, in the mode of the first argument ("off":
 * those of the host, where an operation is associative to the last bit). The second argument says
 * what is tried: "all"; "few" where the host is to do them, or MPI ends while some are there;
 * "many": more than Tasuki has threads for. */
#include <fenv.h>

#include "requested_reductions.h"
#include "tasuki_control.h"

/* Weak: not every host has them. */
#define DECLARE(name, count, ...)                                                          \
    extern __attribute__((weak)) int name(const void*, void*, count, MPI_Datatype, MPI_Op, \
                                          __VA_ARGS__);
DECLARE(MPI_Allreduce_init, int, MPI_Comm, MPI_Info, MPI_Request*)
DECLARE(MPI_Reduce_init, int, int, MPI_Comm, MPI_Info, MPI_Request*)
DECLARE(MPI_Scan_init, int, MPI_Comm, MPI_Info, MPI_Request*)
DECLARE(MPI_Exscan_init, int, MPI_Comm, MPI_Info, MPI_Request*)
DECLARE(MPI_Reduce_scatter_init, const int*, MPI_Comm, MPI_Info, MPI_Request*)
DECLARE(MPI_Reduce_scatter_block_init, int, MPI_Comm, MPI_Info, MPI_Request*)
DECLARE(MPI_Allreduce_init_c, MPI_Count, MPI_Comm, MPI_Info, MPI_Request*)

enum { on_each = collectives, most_requests = 2 * on_each, many = 40 };

static void make(struct requested* r) {
    const struct kind* k = r->kind;
    const void* from = sent_from(r);
    void* to = received_in(r, r->receive);
    MPI_Request* request = &r->request;
    MPI_Info info = MPI_INFO_NULL;
    switch (r->collective) {
        case 0:
            MPI_Allreduce_init(from, to, r->count, k->type, k->operation, r->comm, info, request);
            break;
        case 1:
            MPI_Reduce_init(from, to, r->count, k->type, k->operation, r->root, r->comm, info,
                            request);
            break;
        case 2:
            MPI_Scan_init(from, to, r->count, k->type, k->operation, r->comm, info, request);
            break;
        case 3:
            MPI_Exscan_init(from, to, r->count, k->type, k->operation, r->comm, info, request);
            break;
        case 4:
            MPI_Reduce_scatter_init(from, to, r->counts, k->type, k->operation, r->comm, info,
                                    request);
            break;
        default:
            MPI_Reduce_scatter_block_init(from, to, r->count, k->type, k->operation, r->comm, info,
                                          request);
    }
}

static struct requested all[most_requests];

static void make_one(struct requested* r, int collective, const struct kind* kind, int count,
                     int in_place, MPI_Comm comm) {
    prepare(r, collective, kind, count, in_place, comm);
    make(r);
    check(r->request != MPI_REQUEST_NULL, "there is no request");
}

static void free_one(struct requested* r) {
    MPI_Request_free(&r->request);
    drop(r);
}

/* How often something is started, if it can be more than once: MPICH 4.0 takes what it has waited
 * for to be active still. */
static int rounds(int wanted) {
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(version, &length);
    int once = strncmp(version, "MPICH Version:", 14) == 0 && strstr(version, "\t4.0") != NULL;
    return once && !is_kept ? 1 : wanted;
}

/* What was started, by all calls that wait. */
static void complete(MPI_Request* requests, int count, int round) {
    int indices[most_requests], done = 0, some = 0;
    if (round % 3 == 0) {
        MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    } else if (round % 3 == 1) {
        while (done < count) {
            MPI_Testsome(count, requests, &some, indices, MPI_STATUSES_IGNORE);
            if (!check(some != MPI_UNDEFINED, "requests are over that were not")) break;
            done += some;
        }
    } else {
        for (int i = count - 1; i >= 0; --i) {
            for (done = 0; !done;) MPI_Test(&requests[i], &done, MPI_STATUS_IGNORE);
        }
    }
}

/* Which of `count` this rank starts as the one after `before` others: the standard leaves it to
 * each rank, but Intel MPI 2021.18 waits for ever unless all do the same. */
static int in_turn(int before, int count) {
    if (!is_kept) return before;
    int turn = (before + 5 * check_rank) % count;
    return check_rank % 2 ? count - 1 - turn : turn;
}

/* All of them on two communicators. */
static void of_one_kind(const struct kind* kind, MPI_Comm* comms, int number) {
    MPI_Request requests[most_requests];
    for (int i = 0; i < most_requests; ++i) {
        int count = (number + i) % 3 == 2 ? 700 : (number + i) % 3 + 1;
        make_one(&all[i], i % on_each, kind, count, (number + i) % 4 == 0, comms[i / on_each]);
    }
    for (int round = 0; round < rounds(3); ++round) {
        for (int i = 0; i < most_requests; ++i) fill(&all[i], round);
        for (int i = 0; i < most_requests; ++i) {
            MPI_Start(&all[in_turn(i, most_requests)].request);
        }
        for (int i = 0; i < most_requests; ++i) requests[i] = all[i].request;
        complete(requests, most_requests, round);
        for (int i = 0; i < most_requests; ++i) compare(&all[i]);
    }
    for (int i = 0; i < most_requests; ++i) {
        free_one(&all[check_rank % 2 ? most_requests - 1 - i : i]);
    }
}

static void in_any_order(void) {
    MPI_Comm comms[2];
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -check_rank, &comms[1]);
    /* What else is told apart by its kind is so where reductions do not block, too. */
    const int some[] = {0, 1, 4, 6};
    for (int k = 0; k < 4; ++k) of_one_kind(&all_kinds[some[k]], comms, k);
    for (int c = 0; c < 2; ++c) MPI_Comm_free(&comms[c]);
}

static void again_and_again(void) {
    make_one(&all[0], 0, &all_kinds[0], 5, 0, MPI_COMM_WORLD);
    make_one(&all[1], 2, &all_kinds[3], 3, 0, MPI_COMM_WORLD);
    for (int round = 0; round < rounds(100); ++round) {
        MPI_Request requests[2];
        for (int i = 0; i < 2; ++i) fill(&all[i], round);
        for (int i = 0; i < 2; ++i) requests[i] = all[in_turn(i, 2)].request;
        MPI_Startall(2, requests);
        complete(requests, 2, round);
        for (int i = 0; i < 2; ++i) compare(&all[i]);
    }
    for (int i = 0; i < 2; ++i) free_one(&all[i]);
}

/* Messages around the ring, between the reductions in one array. */
static void among_messages(void) {
    MPI_Request requests[4];
    int token, got, next = (check_rank + 1) % check_ranks;
    int last = (check_rank + check_ranks - 1) % check_ranks;
    make_one(&all[0], 0, &all_kinds[0], 3, 0, MPI_COMM_WORLD);
    make_one(&all[1], 5, &all_kinds[1], 2, 1, MPI_COMM_WORLD);
    MPI_Send_init(&token, 1, MPI_INT, next, 7, MPI_COMM_WORLD, &requests[check_rank % 2]);
    MPI_Recv_init(&got, 1, MPI_INT, last, 7, MPI_COMM_WORLD, &requests[2]);
    requests[1 - check_rank % 2] = all[0].request;
    requests[3] = all[1].request;
    for (int round = 0; round < rounds(20); ++round) {
        token = 10 * round + check_rank, got = -1;
        for (int i = 0; i < 2; ++i) fill(&all[i], round);
        MPI_Startall(4, requests);
        complete(requests, 4, round);
        for (int i = 0; i < 2; ++i) compare(&all[i]);
        in_case("messages beside reductions, round %d", round);
        check(got == 10 * round + last, "%d came from rank %d", got, last);
    }
    in_case("messages alone");
    MPI_Startall(1, &requests[2]);
    MPI_Start(&requests[check_rank % 2]);
    MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[check_rank % 2], MPI_STATUS_IGNORE);
    MPI_Request_free(&requests[2]);
    MPI_Request_free(&requests[check_rank % 2]);
    for (int i = 0; i < 2; ++i) free_one(&all[i]);
}

/* Types, operations and the communicator go before the requests that need them. */
static void freed_early(void) {
    for (int round = 0; round < 6; ++round) {
        struct kind own = kind_of_its_own();
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        for (int i = 0; i < 2; ++i) {
            prepare(&all[i], i, &own, 200, 0, comm);
            fill(&all[i], round);
            make(&all[i]);
        }
        in_case("handles that are freed before the start");
        MPI_Type_free(&own.type);
        MPI_Op_free(&own.operation);
        /* Not every host bears what the standard allows. */
        if (is_kept && round % 2) MPI_Comm_free(&comm);
        check(own.type == MPI_DATATYPE_NULL, "the type is not freed");
        check(own.operation == MPI_OP_NULL, "the operation is not freed");
        for (int again = 0; again < 3 * is_kept; ++again) {
            for (int i = 0; i < 2; ++i) MPI_Start(&all[in_turn(i, 2)].request);
            for (int i = 0; i < 2; ++i) MPI_Wait(&all[i].request, MPI_STATUS_IGNORE);
            for (int i = 0; i < 2; ++i) compare(&all[i]);
        }
        for (int i = 0; i < 2; ++i) free_one(&all[i]);
        if (comm != MPI_COMM_NULL) MPI_Comm_disconnect(&comm);
    }
}

/* Numbers are rounded as the thread that starts has it then. */
static void rounded_as_at_the_start(void) {
    double mine = check_rank == 0 ? 1 : 1.0 / 1152921504606846976.0, sum = 0;
    MPI_Request request;
    in_case("rounded as at the start");
    MPI_Allreduce_init(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &request);
    const int modes[] = {FE_UPWARD, FE_TONEAREST, FE_UPWARD};
    for (int i = 0; i < 3; ++i) {
        fesetround(modes[i]);
        MPI_Start(&request);
        fesetround(FE_TONEAREST);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        int is_above = strcmp(mode, "placement") == 0 && modes[i] == FE_UPWARD;
        check((sum > 1) == is_above, "start %d rounds %s", i, sum > 1 ? "upwards" : "to nearest");
    }
    MPI_Request_free(&request);
}

static void with_large_counts(void) {
    if (dlsym(RTLD_DEFAULT, "PMPI_Allreduce_init_c") == NULL) return;
    double mine[2] = {1, check_rank}, sums[2] = {0, 0};
    MPI_Request request;
    in_case("large counts");
    MPI_Allreduce_init_c(mine, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                         &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    check(sums[0] == check_ranks && sums[1] == check_ranks * (check_ranks - 1) / 2,
          "the sums are %g and %g", sums[0], sums[1]);
}

/* There where the program is built with the address sanitizer. */
__attribute__((weak)) void __lsan_disable(void);
__attribute__((weak)) void __lsan_enable(void);

/* The host reports at once what is wrong, the way that the program has asked for. */
static void wrong_arguments(void) {
    MPI_Comm comm;
    MPI_Request request = MPI_REQUEST_NULL;
    double mine = 1, sum = 0;
    /* MPICH 5.0 leaks what it has made for a call that it refuses, and the communicator with it. */
    if (__lsan_disable) __lsan_disable();
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    in_case("wrong arguments");
    check(MPI_Allreduce_init(&mine, &sum, -1, MPI_DOUBLE, MPI_SUM, comm, MPI_INFO_NULL, &request) !=
              MPI_SUCCESS,
          "a count of -1 was taken");
    if (__lsan_enable) __lsan_enable();
    MPI_Comm_free(&comm);
}

/* 1, -1 and 2^-60s: what is told apart by its value in each mode. */
static MPI_Request told_apart(double* mine, double* sum) {
    MPI_Request request;
    *mine = check_rank == 0 ? 1 : check_rank == check_ranks - 1 ? -1 : 1.0 / 1152921504606846976.0;
    in_case("1, -1 and numbers far below");
    MPI_Allreduce_init(mine, sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (check_rank == 0) printf("sum %g\n", *sum * 1152921504606846976.0);
    return request;
}

/* More than Tasuki has at once, then as many as it has again. */
static void more_than_there_may_be(void) {
    static double mine[many], sums[many];
    static MPI_Request requests[many];
    for (int time = 0; time < 2; ++time) {
        int number = time == 0 ? many : 5;
        in_case("%d at once", number);
        for (int i = 0; i < number; ++i) {
            mine[i] = check_rank + i, sums[i] = 0;
            MPI_Allreduce_init(&mine[i], &sums[i], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD,
                               MPI_INFO_NULL, &requests[i]);
        }
        /* The host's own are in the same order. */
        MPI_Startall(number, requests);
        MPI_Waitall(number, requests, MPI_STATUSES_IGNORE);
        for (int i = 0; i < number; ++i) {
            double expected = check_ranks * i + check_ranks * (check_ranks - 1) / 2;
            check(sums[i] == expected, "sum %d is %g", i, sums[i]);
            MPI_Request_free(&requests[i]);
        }
    }
}

int main(int argc, char** argv) {
    const char* what = argc > 2 ? argv[2] : "all";
    static double mine, sum;
    MPI_Init(&argc, &argv);
    check_begin();
    if (argc > 1) mode = argv[1];
    /* Under Tasuki MPI_Allreduce_init is there whether the host has it or not. */
    if (dlsym(RTLD_DEFAULT, "PMPI_Allreduce_init") == NULL) {
        if (check_rank == 0) printf("no persistent reductions\n");
        MPI_Finalize();
        return 0;
    }
    make_kinds();
    is_kept = has_tasuki() && strcmp(mode, "off") != 0 && strcmp(what, "all") == 0;
    if (strcmp(what, "many") == 0) more_than_there_may_be();
    MPI_Request request = told_apart(&mine, &sum);
    if (strcmp(what, "all") == 0) {
        MPI_Request_free(&request);
        again_and_again();
        among_messages();
        freed_early();
        wrong_arguments();
        with_large_counts();
        in_any_order();
    }
    if (is_kept) rounded_as_at_the_start();
    free_kinds();
    int code = check_end();
    MPI_Finalize();
    return code;
}

/* Non-blocking reductions have the bits of blocking ones, in the mode of the first argument ("off":
 * those of the host, where an operation is associative to the last bit). The second argument says
 * what is tried: "all", or "few" where the host is to do them; "level N": what thread level the
 * program is told. */
#include "requested_reductions.h"
#include "tasuki_control.h"

enum { most_requests = 3 * collectives * kinds };

static void call(struct requested* r) {
    const struct kind* k = r->kind;
    const void* from = sent_from(r);
    void* to = received_in(r, r->receive);
    MPI_Request* request = &r->request;
    switch (r->collective) {
        case 0:
            MPI_Iallreduce(from, to, r->count, k->type, k->operation, r->comm, request);
            break;
        case 1:
            MPI_Ireduce(from, to, r->count, k->type, k->operation, r->root, r->comm, request);
            break;
        case 2:
            MPI_Iscan(from, to, r->count, k->type, k->operation, r->comm, request);
            break;
        case 3:
            MPI_Iexscan(from, to, r->count, k->type, k->operation, r->comm, request);
            break;
        case 4:
            MPI_Ireduce_scatter(from, to, r->counts, k->type, k->operation, r->comm, request);
            break;
        default:
            MPI_Ireduce_scatter_block(from, to, r->count, k->type, k->operation, r->comm, request);
    }
}

static void begin(struct requested* r, int collective, const struct kind* kind, int count,
                  int in_place, MPI_Comm comm) {
    prepare(r, collective, kind, count, in_place, comm);
    fill(r, 0);
}

static void finish(struct requested* r) {
    compare(r);
    drop(r);
}

static struct requested all[most_requests];

/* All kinds on three communicators, which the ranks serve in different order. */
static void in_flight(int few) {
    MPI_Comm comms[3];
    int used = 0, first[4];
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -check_rank, &comms[1]);
    MPI_Comm_split(MPI_COMM_WORLD, check_rank % 2, check_rank, &comms[2]);
    for (int c = 0; c < 3; ++c) {
        first[c] = used;
        for (int k = 0; k < (few ? 1 : kinds); ++k) {
            for (int i = 0; i < collectives; ++i) {
                int count = (k + i) % 3 == 2 ? 700 : (k + i) % 3 + 1;
                begin(&all[used++], i, &all_kinds[k], count, (k + i + c) % 4 == 0, comms[c]);
            }
        }
    }
    first[3] = used;
    for (int step = 0; step < 3; ++step) {
        int c = check_rank % 2 ? 2 - step : step;
        for (int i = first[c]; i < first[c + 1]; ++i) call(&all[i]);
    }
    static MPI_Request requests[most_requests];
    for (int i = 0; i < used; ++i) requests[i] = all[i].request;
    MPI_Waitall(first[1], requests, MPI_STATUSES_IGNORE);
    for (int done = first[1]; done < first[2]; ++done) {
        int index;
        MPI_Waitany(first[2] - first[1], requests + first[1], &index, MPI_STATUS_IGNORE);
        check(index != MPI_UNDEFINED, "there was nothing to wait for");
    }
    for (int i = used - 1; i >= first[2]; --i) {
        MPI_Status status;
        int done = 0, cancelled = 1;
        while (!done) MPI_Test(&requests[i], &done, &status);
        MPI_Test_cancelled(&status, &cancelled);
        check(!cancelled, "a reduction was cancelled");
    }
    for (int i = 0; i < used; ++i) {
        all[i].request = requests[i];
        finish(&all[i]);
    }
    for (int c = 0; c < 3; ++c) MPI_Comm_free(&comms[c]);
}

/* A call that waited for the others would wait for ever: the first one on a communicator, and one
 * behind it. */
static void among_messages(void) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int round = 0; round < 3; ++round) {
        double mine = check_rank + 1, sum = 0;
        int token = 0;
        MPI_Request requests[2];
        in_case("messages between reductions, round %d", round);
        if (check_rank == 0) {
            MPI_Iallreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, comm, &requests[0]);
            for (int r = 1; r < check_ranks; ++r) MPI_Ssend(&token, 1, MPI_INT, r, 3, comm);
            MPI_Ibarrier(comm, &requests[1]);
            MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        } else {
            MPI_Recv(&token, 1, MPI_INT, 0, 3, comm, MPI_STATUS_IGNORE);
            MPI_Iallreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, comm, &requests[0]);
            MPI_Ibarrier(comm, &requests[1]);
            MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
            MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        }
        check(sum == check_ranks * (check_ranks + 1) / 2, "the sum is %g", sum);
    }
    MPI_Comm_free(&comm);
}

/* Blocking reductions meanwhile, on the same communicator. */
static void beside_blocking(void) {
    MPI_Request requests[20];
    double mine = check_rank + 1, sums[20], other = 0;
    int expected = check_ranks * (check_ranks + 1) / 2;
    in_case("blocking reductions between non-blocking ones");
    for (int i = 0; i < 20; ++i) {
        MPI_Iallreduce(&mine, &sums[i], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &requests[i]);
        MPI_Allreduce(&mine, &other, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        check(other == expected, "the blocking sum is %g", other);
    }
    MPI_Waitall(20, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 20; ++i) check(sums[i] == expected, "sum %d is %g", i, sums[i]);
}

/* What the program may free as soon as a call returns. */
static void freed_early(void) {
    for (int round = 0; round < 12; ++round) {
        struct kind own = kind_of_its_own();
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        for (int i = 0; i < 2; ++i) begin(&all[i], i, &own, 200, 0, comm);
        for (int i = 0; i < 2; ++i) call(&all[i]);
        in_case("handles that are freed at once");
        MPI_Type_free(&own.type);
        MPI_Op_free(&own.operation);
        /* Open MPI 5.0 ends in a segmentation fault itself where a communicator goes too early. */
        int is_freed = is_kept && round % 2;
        if (is_freed) {
            MPI_Comm_free(&comm);
            check(comm == MPI_COMM_NULL, "the communicator is not freed");
        }
        check(own.type == MPI_DATATYPE_NULL, "the type is not freed");
        check(own.operation == MPI_OP_NULL, "the operation is not freed");
        for (int i = 0; i < 2; ++i) {
            MPI_Wait(&all[i].request, MPI_STATUS_IGNORE);
            finish(&all[i]);
        }
        if (!is_freed) MPI_Comm_disconnect(&comm);
    }
}

/* There where the program is built with the address sanitizer. */
__attribute__((weak)) void __lsan_disable(void);
__attribute__((weak)) void __lsan_enable(void);

/* The host reports at once what is wrong, the way that the program has asked for. */
static void wrong_arguments(void) {
    MPI_Comm comm;
    MPI_Request request = MPI_REQUEST_NULL;
    double mine = 1, sum = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    in_case("wrong arguments");
    /* MPICH 5.0 leaks what it has made for a call that it refuses. */
    if (__lsan_disable) __lsan_disable();
    check(MPI_Iallreduce(&mine, &sum, -1, MPI_DOUBLE, MPI_SUM, comm, &request) != MPI_SUCCESS,
          "a count of -1 was taken");
    check(MPI_Ireduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, check_ranks, comm, &request) !=
              MPI_SUCCESS,
          "a root beyond all ranks was taken");
    if (__lsan_enable) __lsan_enable();
    check(MPI_Iallreduce(&mine, &sum, 0, MPI_DOUBLE, MPI_SUM, comm, &request) == MPI_SUCCESS,
          "nothing was not reduced");
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
}

/* 1, -1 and 2^-60s: what is told apart by its value in each mode. */
static void told_apart(void) {
    double mine = check_rank == 0                 ? 1
                  : check_rank == check_ranks - 1 ? -1
                                                  : 1.0 / 1152921504606846976.0;
    double sum = 0;
    MPI_Request request;
    in_case("1, -1 and numbers far below");
    MPI_Iallreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (check_rank == 0) printf("sum %g\n", sum * 1152921504606846976.0);
}

/* By the call that sets it on one communicator. */
static void mode_of_one(const char* name) {
    int (*function)(const char*, int);
    *(void**)&function = dlsym(RTLD_DEFAULT, "tasuki_reproducible_on");
    if (function) check(function(name, MPI_Comm_c2f(MPI_COMM_WORLD)) == 0, "no mode %s", name);
}

int main(int argc, char** argv) {
    const char* what = argc > 2 ? argv[2] : "all";
    int asked = argc > 3 ? atoi(argv[3]) : -1, told = -1, provided = -1;
    if (asked >= 0)
        MPI_Init_thread(&argc, &argv, asked, &provided);
    else
        MPI_Init(&argc, &argv);
    MPI_Query_thread(&told);
    check_begin();
    if (check_rank == 0) printf("told %d %d\n", provided, told);
    check(provided < 0 || provided == told, "MPI_Init_thread gave %d, MPI_Query_thread %d",
          provided, told);
    const char* unset = getenv("EXPECT_UNSET");
    check(unset == NULL || getenv(unset) == NULL, "%s was left behind", unset);
    make_kinds();
    if (argc > 1) mode = argv[1];
    if (strcmp(what, "one") == 0) mode_of_one(mode);
    is_kept = has_tasuki() && strcmp(mode, "off") != 0 && strcmp(what, "all") == 0;
    told_apart();
    among_messages();
    beside_blocking();
    freed_early();
    wrong_arguments();
    in_flight(strcmp(what, "all") != 0);
    free_kinds();
    int code = check_end();
    MPI_Finalize();
    return code;
}

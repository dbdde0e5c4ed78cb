/* Reductions in the mode of the first argument, by each COLLECTIVE/CHOICE of the others, against
 * the trees that every rank evaluates itself: it knows what all others give. KINDS in the
 * environment: so many of the kinds of elements and operations, the first ones.
 *
 * "off": operations that are associative to the last bit. "placement" and "exact": bit by bit the
 * canonical tree; exact_sums.c looks at the sums of floating-point numbers in "exact". */
#include "reduce_cases.h"
#include "tasuki_control.h"

static const char* mode = "off";
static const char* choice = ""; /* what the collective runs by, if it may */
static int is_kept;             /* whether `mode` keeps bits */

static void set_mode(const char* name) {
    if (!has_tasuki()) return;
    int (*function)(const char*);
    *(void**)&function = dlsym(RTLD_DEFAULT, "tasuki_reproducible");
    if (!check(function != NULL, "there is no tasuki_reproducible")) return;
    check(function("nonsense") == -1, "a mode that there is not was taken");
    check(function(name) == 0, "mode %s was not taken", name);
}

static void check_who_ran(const char* collective, const struct kind* kind, int ranks) {
    if (!has_tasuki() || !is_kept) return;
    const char* last = last_algorithm_of(collective);
    int is_exact = strcmp(mode, "exact") == 0 && kind->is_float_sum;
    check(strncmp(last, "native", 6) != 0 && (ranks == 2 || is_exact == ran_exactly(last, ranks)),
          "%s of %s ran by \"%s\"", collective, kind->name, last);
    const char* nodes = getenv("TASUKI_PLACEMENT");
    if (is_exact || !strstr(choice, "carrier=memory") || !nodes || strpbrk(nodes, "123456789")) {
        return;
    }
    /* Ranks of one node: only another number of ranks may keep a row from running by memory. */
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(choice, ":"), choice);
    int is_asked_for = begins_with_name(last, name);
    check(is_asked_for ? strstr(last, "carrier=memory") != NULL : (ranks & (ranks - 1)) != 0,
          "%s ran by \"%s\" instead of \"%s\"", collective, last, choice);
}

/* Whether the result is for the canonical tree to tell. */
static int is_known(const struct kind* kind) {
    if (strcmp(mode, "exact") == 0) return !kind->is_float_sum;
    return is_kept || kind->is_associative;
}

static void check_result(const struct kind* kind, const unsigned char* result, int first, int count,
                         int from_rank, int ranks) {
    static unsigned char expected[largest_element];
    for (int i = 0; i < count && is_known(kind); ++i) {
        canonical(kind, from_rank, ranks, first + i, expected);
        if (!check(same_element(kind, result + (size_t)i * kind->bytes, expected),
                   "%s: element %d of %d of %d ranks has other bits", kind->name, first + i, count,
                   ranks))
            return;
    }
}

/* In any mode all ranks get the same bits by a row of Tasuki's; a host's own may do otherwise. */
static void check_alike_on_all(const struct kind* kind, const unsigned char* result, int count,
                               MPI_Comm comm) {
    if (is_known(kind) || !has_tasuki() || count == 0) return;
    if (strncmp(last_algorithm_of("allreduce"), "native", 6) == 0) return;
    size_t bytes = (size_t)count * kind->bytes;
    unsigned char* first = malloc(bytes);
    memcpy(first, result, bytes);
    PMPI_Bcast(first, (int)bytes, MPI_BYTE, 0, comm);
    check(memcmp(first, result, bytes) == 0, "%s: other bits than on rank 0", kind->name);
    free(first);
}

/* One call for `count` elements from `first` on. Where Tasuki reduces, half of the buffers begin at
 * an odd address. */
static void call(const char* collective, const struct kind* kind, int first, int count, int root,
                 int in_place, MPI_Comm comm) {
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    size_t bytes = (size_t)count * kind->bytes;
    int odd = is_kept && has_tasuki() && (first + count + rank) % 2;
    unsigned char* send_room = malloc(bytes + 2);
    unsigned char* receive_room = malloc(bytes + 2);
    unsigned char *send = send_room + odd, *receive = receive_room + odd;
    unsigned char* sent = malloc(bytes + 1);
    memset(send, 0, bytes);
    for (int i = 0; i < count; ++i) kind->fill(send + (size_t)i * kind->bytes, rank, first + i);
    memcpy(sent, send, bytes);
    memset(receive, 0x5a, bytes);
    if (in_place) memcpy(receive, send, bytes);
    const void* from = in_place ? MPI_IN_PLACE : send;
    int result_ranks = ranks;
    in_case("%s of %d x %s on %d ranks%s, mode %s", collective, count, kind->name, ranks,
            in_place ? " in place" : "", mode);
    if (strcmp(collective, "allreduce") == 0) {
        MPI_Allreduce(from, receive, count, kind->type, kind->operation, comm);
        check_alike_on_all(kind, receive, count, comm);
    } else if (strcmp(collective, "reduce") == 0) {
        MPI_Reduce(rank == root ? from : send, rank == root ? receive : NULL, count, kind->type,
                   kind->operation, root, comm);
        if (rank != root) result_ranks = 0;
    } else if (strcmp(collective, "scan") == 0) {
        MPI_Scan(from, receive, count, kind->type, kind->operation, comm);
        result_ranks = rank + 1;
    } else {
        MPI_Exscan(from, receive, count, kind->type, kind->operation, comm);
        result_ranks = rank;
    }
    if (count > 0) check_who_ran(collective, kind, ranks);
    check(memcmp(send, sent, bytes) == 0, "the input has changed");
    if (result_ranks > 0) {
        check_result(kind, receive, first, count, 0, result_ranks);
    }
    free(send_room);
    free(sent);
    free(receive_room);
}

/* Blocks of `count`, or of counts that differ (among them 0). */
static void call_blocks(const struct kind* kind, int count, int in_place, int are_equal,
                        MPI_Comm comm) {
    int rank, ranks, total = 0, before = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    int counts[64];
    for (int r = 0; r < ranks; ++r) {
        counts[r] = are_equal ? count : count * ((r + 1) % 3);
        if (r < rank) before += counts[r];
        total += counts[r];
    }
    size_t bytes = (size_t)total * kind->bytes;
    unsigned char* send = malloc(bytes + 1);
    unsigned char* sent = malloc(bytes + 1);
    unsigned char* receive = malloc(bytes + 1);
    memset(send, 0, bytes);
    for (int i = 0; i < total; ++i) kind->fill(send + (size_t)i * kind->bytes, rank, i);
    memcpy(sent, send, bytes);
    if (in_place) memcpy(receive, send, bytes);
    const void* from = in_place ? MPI_IN_PLACE : send;
    in_case("reduce-scatter%s of %d x %s on %d ranks%s, mode %s", are_equal ? "-block" : "", count,
            kind->name, ranks, in_place ? " in place" : "", mode);
    if (are_equal) {
        MPI_Reduce_scatter_block(from, receive, count, kind->type, kind->operation, comm);
    } else {
        MPI_Reduce_scatter(from, receive, counts, kind->type, kind->operation, comm);
    }
    if (total > 0) check_who_ran("reduce-scatter", kind, ranks);
    check(memcmp(send, sent, bytes) == 0, "the input has changed");
    check_result(kind, receive, before, counts[rank], 0, ranks);
    free(send);
    free(sent);
    free(receive);
}

static void run_all(const char* collective, MPI_Comm comm) {
    static const int counts[] = {1, 7, 1500};
    int ranks;
    MPI_Comm_size(comm, &ranks);
    const char* most = getenv("KINDS");
    for (int k = 0; k < kinds && (most == NULL || k < atoi(most)); ++k) {
        const struct kind* kind = &all_kinds[k];
        for (int c = 0; c < 3; ++c) {
            int count = counts[c];
            if (k > 1 && c == k % 2) continue; /* the first kinds have every case */
            /* Intel MPI 2021.18 and MPICH 4.0 reduce long vectors of pairs wrongly themselves: they
             * take them for as many bytes as they have data. */
            if (!is_kept && kind->gap_end > 0 && count > 100) continue;
            if (strcmp(collective, "reduce-scatter") == 0) {
                call_blocks(kind, count, c == 1, 1, comm);
                call_blocks(kind, count, c == 0, 0, comm);
                continue;
            }
            call(collective, kind, 0, count, (k + c) % ranks, 0, comm);
            if (k > 1) continue;
            /* MPICH 4.0 ends in a segmentation fault itself where a root that is not rank 0 gives a
             * long vector in place. */
            call(collective, kind, 0, count, is_kept ? ranks - 1 : 0, 1, comm);
            call(collective, kind, 0, count / 2, 0, 0, comm);
            call(collective, kind, count / 2, count - count / 2, ranks / 2, 0, comm);
        }
    }
}

/* Every algorithm has its turn while one is learnt: no bit may tell. */
static void learn(void) {
    choice = "auto";
    choose_for("allreduce", "auto");
    for (int i = 0; i < 150; ++i) call("allreduce", &all_kinds[0], 0, 7, 0, 0, MPI_COMM_WORLD);
}

static void add_pairs(void* in, void* inout, int* length, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *length; ++i) {
        ((double*)inout)[2 * i] += ((double*)in)[2 * i];
    }
}

/* What is for the host to do, in any mode: elements with gaps, and what MPI does not define. */
static void leave_to_host(void) {
    MPI_Datatype with_gap;
    MPI_Op add;
    double send[6] = {1, -1, 2, -1, 3, -1}, receive[6] = {0, 5, 0, 5, 0, 5};
    MPI_Type_create_resized(MPI_DOUBLE, 0, 2 * sizeof(double), &with_gap);
    MPI_Type_commit(&with_gap);
    MPI_Op_create(add_pairs, 1, &add);
    in_case("elements with gaps, mode %s", mode);
    MPI_Allreduce(send, receive, 3, with_gap, add, MPI_COMM_WORLD);
    for (int i = 0; i < 3; ++i) {
        check(receive[2 * i] == (i + 1) * check_ranks && receive[2 * i + 1] == 5,
              "element %d is %g, with %g behind it", i, receive[2 * i], receive[2 * i + 1]);
    }
    MPI_Op_free(&add);
    MPI_Type_free(&with_gap);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    check_begin();
    make_kinds();
    if (argc > 1) mode = argv[1];
    is_kept = strcmp(mode, "off") != 0;
    set_mode(mode);
    for (int ranks = 1; ranks <= check_ranks; ++ranks) {
        MPI_Comm comm;
        MPI_Comm_split(MPI_COMM_WORLD, check_rank < ranks ? 0 : MPI_UNDEFINED, 0, &comm);
        for (int a = 2; a < argc; ++a) {
            const char* slash = strchr(argv[a], '/');
            char collective[32];
            snprintf(collective, sizeof collective, "%.*s", (int)(slash - argv[a]), argv[a]);
            choice = slash + 1;
            choose_for(collective, choice);
            if (comm != MPI_COMM_NULL) run_all(collective, comm);
        }
        if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
    }
    learn();
    leave_to_host();
    free_kinds();
    int code = check_end();
    MPI_Finalize();
    return code;
}

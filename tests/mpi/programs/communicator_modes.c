/* The mode of reductions on single communicators, beside others that have none. argv[1]: the mode
 * of all others. */
#include "tasuki_control.h"

enum { count = 12 };
static const char* of_all = "off";

static int set_on(const char* mode, MPI_Comm comm) {
    int (*function)(const char*, int);
    *(void**)&function = dlsym(RTLD_DEFAULT, "tasuki_reproducible_on");
    return function ? function(mode, MPI_Comm_c2f(comm)) : -2;
}

static const char* error_text(void) {
    const char* (*function)(void);
    *(void**)&function = dlsym(RTLD_DEFAULT, "tasuki_error");
    return function ? function() : "";
}

static MPI_Info hint(const char* mode) {
    MPI_Info info;
    MPI_Info_create(&info);
    if (mode) MPI_Info_set(info, "tasuki_reproducible", mode);
    return info;
}

static void set_hint(MPI_Comm comm, const char* mode) {
    MPI_Info info = hint(mode);
    MPI_Comm_set_info(comm, info);
    MPI_Info_free(&info);
}

/* By the sum of 1, -1 and 2^-60 and by what says that it ran: whether `comm` has the mode. */
static void expect_mode(MPI_Comm comm, const char* mode, const char* name) {
    double mine[count], sums[count];
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    in_case("%s, expected %s beside %s", name, mode, of_all);
    for (int i = 0; i < count; ++i) mine[i] = rank == 0 ? 1 : rank == ranks - 1 ? -1 : 0x1p-60;
    memset(sums, 0, sizeof sums);
    MPI_Allreduce(mine, sums, count, MPI_DOUBLE, MPI_SUM, comm);
    const char* last = last_algorithm_of("allreduce");
    if (strcmp(mode, "exact") == 0) {
        check_ran_exactly("allreduce", ranks);
        check(sums[count - 1] == (ranks - 2) * 0x1p-60, "the sum is %g", sums[count - 1]);
    } else if (strcmp(mode, "placement") == 0) {
        check(strstr(last, "canonical") || strstr(last, "direct"), "ran %s", last);
    } else {
        check(begins_with_name(last, "native"), "ran %s", last);
    }
}

static void expect_all_collectives_exact(MPI_Comm comm) {
    double mine[64] = {0}, sums[64];
    int counts[64];
    for (int rank = 0; rank < check_ranks; ++rank) counts[rank] = 1;
    in_case("every reduction");
    MPI_Reduce(mine, sums, 64, MPI_DOUBLE, MPI_SUM, 0, comm);
    check_ran_exactly("reduce", check_ranks);
    MPI_Scan(mine, sums, 64, MPI_DOUBLE, MPI_SUM, comm);
    check_ran_exactly("scan", check_ranks);
    MPI_Exscan(mine, sums, 64, MPI_DOUBLE, MPI_SUM, comm);
    check_ran_exactly("exscan", check_ranks);
    MPI_Reduce_scatter(mine, sums, counts, MPI_DOUBLE, MPI_SUM, comm);
    check_ran_exactly("reduce-scatter", check_ranks);
    MPI_Reduce_scatter_block(mine, sums, 2, MPI_DOUBLE, MPI_SUM, comm);
    check_ran_exactly("reduce-scatter", check_ranks);
}

static void hints_are_taken(void) {
    MPI_Comm own, copy, other, part;
    MPI_Info info;
    char value[32] = "";
    int found = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    expect_mode(own, of_all, "before");
    set_hint(own, "exact");
    expect_mode(own, "exact", "MPI_Comm_set_info");
    expect_all_collectives_exact(own);
    expect_mode(MPI_COMM_WORLD, of_all, "the world beside it");
    set_hint(own, NULL);
    expect_mode(own, "exact", "other hints");
    MPI_Comm_get_info(own, &info);
    MPI_Info_get(info, "tasuki_reproducible", 31, value, &found);
    MPI_Info_free(&info);
    check(found && strcmp(value, "exact") == 0, "MPI_Comm_get_info tells \"%s\"", value);
    MPI_Comm_dup(own, &copy);
    expect_mode(copy, "exact", "MPI_Comm_dup");
    MPI_Comm_free(&copy);
    MPI_Request request;
    MPI_Comm_idup(own, &copy, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect_mode(copy, "exact", "MPI_Comm_idup");
    info = hint("placement");
    MPI_Comm_dup_with_info(own, info, &other);
    MPI_Info_free(&info);
    expect_mode(other, "placement", "MPI_Comm_dup_with_info");
    MPI_Comm_free(&other);
    MPI_Comm_dup_with_info(own, MPI_INFO_NULL, &other);
    expect_mode(other, of_all, "MPI_Comm_dup_with_info without hints");
    MPI_Comm_free(&other);
    info = hint("exact");
    MPI_Comm_split_type(own, MPI_COMM_TYPE_SHARED, 0, info, &other);
    MPI_Info_free(&info);
    expect_mode(other, "exact", "MPI_Comm_split_type");
    MPI_Comm_free(&other);
    MPI_Comm_split_type(own, check_rank == 0 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, 0,
                        MPI_INFO_NULL, &other);
    if (check_rank != 0) expect_mode(other, of_all, "MPI_Comm_split_type without hints");
    if (check_rank != 0) MPI_Comm_free(&other);
#if MPI_VERSION >= 4
    info = hint("exact");
    MPI_Comm_idup_with_info(MPI_COMM_WORLD, info, &other, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Info_free(&info);
    expect_mode(other, of_all, "MPI_Comm_idup_with_info");
    if (check_rank == 0) printf("a hint was lost\n");
    MPI_Comm_free(&other);
#endif
    MPI_Comm_dup(own, &other);
    MPI_Comm_split(own, 0, check_rank, &part);
    expect_mode(part, of_all, "MPI_Comm_split");
    set_hint(own, "off");
    expect_mode(own, "off", "off");
    expect_mode(copy, "exact", "the copy before");
    MPI_Comm* all[] = {&own, &copy, &other, &part};
    for (int i = 0; i < 4; ++i) MPI_Comm_free(all[i]);
    expect_mode(MPI_COMM_WORLD, of_all, "afterwards");
}

/* Only some ranks have heard of it; the others do not even look at calls on the world. */
static void some_ranks_know(void) {
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, check_rank != 0, check_rank, &part);
    if (check_rank != 0) set_hint(part, "exact");
    expect_mode(MPI_COMM_WORLD, of_all, "the world of some that know");
    if (check_rank != 0) expect_mode(part, "exact", "a part");
    if (check_rank == 0) expect_mode(part, of_all, "the other part");
    expect_mode(MPI_COMM_WORLD, of_all, "the world again");
    MPI_Comm_free(&part);
}

static void differences_change_nothing(void) {
    MPI_Comm own, between = MPI_COMM_NULL, half;
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    in_case("the exported call");
    check(set_on("placement", own) == 0, "%s", error_text());
    set_hint(own, check_rank == 0 ? "off" : "exact");
    expect_mode(own, "placement", "hints that differ");
    set_hint(own, check_rank == 0 ? NULL : "exact");
    expect_mode(own, "placement", "a hint that is not given by all");
    set_hint(own, "exakt");
    expect_mode(own, "placement", "a hint that is none");
    in_case("calls that differ");
    check(set_on(check_rank == 0 ? "off" : "exact", own) == -1, "accepted");
    check(strstr(error_text(), "(off, exact)") != NULL, "%s", error_text());
    check(set_on(check_rank == 0 ? "exakt" : "exact", own) == -1, "accepted");
    check(strstr(error_text(), check_rank == 0 ? "no mode \"exakt\"" : "no known one") != NULL,
          "%s", error_text());
    expect_mode(own, "placement", "calls that differ");
    check(set_on("exact", own) == 0, "%s", error_text());
    expect_mode(own, "exact", "the exported call again");
    check(set_on("exact", MPI_COMM_NULL) == -1, "no communicator accepted");
    MPI_Comm_split(MPI_COMM_WORLD, check_rank != 0, check_rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, check_rank != 0 ? 0 : 1, 5, &between);
    in_case("an inter-communicator");
    set_hint(between, "exact");
    check(set_on("exact", between) == -1, "accepted");
    check(strstr(error_text(), "inter-communicator") != NULL, "%s", error_text());
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
    MPI_Comm_free(&own);
}

int main(int arguments, char** argument) {
    MPI_Init(&arguments, &argument);
    check_begin();
    has_tasuki();
    if (arguments > 1) of_all = argument[1];
    hints_are_taken();
    some_ranks_know();
    differences_change_nothing();
    int code = check_end();
    MPI_Finalize();
    return code;
}

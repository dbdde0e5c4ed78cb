/* Communicators on which nothing but learning is asked for: the world is taken up at once, others
 * when they have had some calls, copies of the world sooner if the last one had many; and at once
 * where an algorithm is named.
 *
 * usage: new_communicators */
#include "tasuki_control.h"

static const char few_calls[] = "few calls";
enum { calls_before_making_of_all_ranks = 16, calls_before_taking_over = 1, rounds = 6 };
/* In which the copy of the world has few calls only: so few that it does not matter how long they
 * take. */
enum { short_round = 3, calls_of_short_round = 10 };

static void add(MPI_Comm communicator) {
    int one = 1, sum = 0, ranks;
    MPI_Comm_size(communicator, &ranks);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, communicator);
    check(sum == ranks, "the sum of ones is %d", sum);
}

static void expect_waiting(int waits, int call) {
    if (!has_tasuki()) return;
    const char* last = last_algorithm_of("allreduce");
    check((strstr(last, few_calls) != NULL) == waits, "call %d: %s", call, last);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    check_begin();
    add(MPI_COMM_WORLD);
    expect_waiting(0, 0);
    for (int round = 0; round < rounds; ++round) {
        in_case("round %d", round);
        MPI_Comm copy, half;
        MPI_Comm_dup(MPI_COMM_WORLD, &copy);
        MPI_Comm_split(MPI_COMM_WORLD, check_rank % 2, 0, &half);
        const int was_used_long = round > 0 && round - 1 != short_round;
        const int waits =
            was_used_long ? calls_before_taking_over : calls_before_making_of_all_ranks;
        for (int call = 0; call < waits; ++call) {
            add(copy);
            expect_waiting(1, call);
            if (call % 2 == 0) add(half); /* calls of others do not count */
        }
        for (int call = 0; call < (round == short_round ? calls_of_short_round : 200); ++call) {
            add(copy);
            expect_waiting(0, waits + call);
        }
        add(half);
        expect_waiting(1, 0);
        if (round == 1) {
            choose_for("allreduce", "recursive-doubling");
            add(half);
            if (has_tasuki()) {
                const char* last = last_algorithm_of("allreduce");
                check(strcmp(last, "recursive-doubling") == 0, "ran %s", last);
            }
            choose_for("allreduce", "auto");
            add(half);
            expect_waiting(0, 0);
        }
        MPI_Comm_free(&half);
        MPI_Comm_free(&copy);
    }
    const int code = check_end();
    MPI_Finalize();
    return code;
}

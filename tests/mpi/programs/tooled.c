/* Says which calls of all-to-all a profiling tool sees.
 *
 * usage: tooled {preloaded|linked} [CANDIDATE...]
 *   preloaded  the tool comes after Tasuki: it sees what passes to the host, as MPI_Alltoall
 *   linked     the tool comes before Tasuki: it sees every call, and hands it to the host itself */
#include "exchange.h"
#include "tasuki_control.h"

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    check_begin();
    if (argc < 2) MPI_Abort(MPI_COMM_WORLD, 2);
    int (*tool_count)(void);
    *(void**)&tool_count = dlsym(RTLD_DEFAULT, "tool_count");
    in_case("tool %s", argv[1]);
    if (!check(tool_count != NULL, "there is no tool")) MPI_Abort(MPI_COMM_WORLD, 1);
    const int is_linked = strcmp(argv[1], "linked") == 0;
    for (int argument = 2; argument < argc; ++argument) {
        struct candidate candidate = parse_candidate(argv[argument]);
        choose(&candidate);
        in_case("tool %s: %s", argv[1], candidate.choice);
        for (uint32_t call = 0; call < 4; ++call) {
            int before = tool_count();
            check_exchange(MPI_COMM_WORLD, 5, call);
            int seen = tool_count() - before;
            int passed = is_linked || begins_with_name(last_algorithm(), "native");
            check(seen == passed, "the tool saw %d calls, expected %d", seen, passed);
            if (!is_linked) check_ran(&candidate, check_ranks, 0);
        }
    }
    int code = check_end();
    MPI_Finalize();
    return code;
}

/* What Tasuki keeps at a communicator is invisible: the user's callbacks for attributes are called
 * as often as without it, and nothing that can be asked of a communicator changes.
 *
 * usage: attributes [CANDIDATE...] */
#include "exchange.h"
#include "tasuki_control.h"

static int copied, deleted;

static int copy(MPI_Comm comm, int key, void* extra, void* value, void* new_value, int* flag) {
    (void)comm, (void)key, (void)extra;
    ++copied;
    *(void**)new_value = value;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete(MPI_Comm comm, int key, void* value, void* extra) {
    (void)comm, (void)key, (void)value, (void)extra;
    ++deleted;
    return MPI_SUCCESS;
}

static void check_calls(const char* when, int copies, int deletes) {
    check(copied == copies && deleted == deletes, "%s: %d copies and %d deletions, expected %d, %d",
          when, copied, deleted, copies, deletes);
}

static void callbacks(void) {
    MPI_Comm comm, other;
    int key, value = 42, found;
    void* got;
    copied = deleted = 0;
    MPI_Comm_create_keyval(copy, delete, &key, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_attr(comm, key, &value);
    for (uint32_t call = 0; call < 3; ++call) check_exchange(comm, 5, call);
    check_calls("after all-to-all", 0, 0);
    MPI_Comm_dup(comm, &other);
    check_calls("after a dup", 1, 0);
    check_exchange(other, 5, 9);
    check_calls("after all-to-all on the dup", 1, 0);
    MPI_Comm_free(&comm);
    check_calls("after freeing the first", 1, 1);
    MPI_Comm_get_attr(other, key, &got, &found);
    check(found && got == &value, "the attribute is gone from the dup");
    MPI_Comm_free(&other);
    check_calls("after freeing both", 1, 2);
    MPI_Comm_free_keyval(&key);
}

/* Its name and its group. */
static void looks_the_same(void) {
    MPI_Comm comm;
    char name[MPI_MAX_OBJECT_NAME];
    int length, result;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_name(comm, "mine");
    check_exchange(comm, 2, 1);
    MPI_Comm_get_name(comm, name, &length);
    check(strcmp(name, "mine") == 0, "its name is now '%s'", name);
    MPI_Comm_compare(comm, MPI_COMM_WORLD, &result);
    check(result == MPI_CONGRUENT, "it compares as %d", result);
    MPI_Comm_free(&comm);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    check_begin();
    for (int argument = 1; argument < argc; ++argument) {
        struct candidate candidate = parse_candidate(argv[argument]);
        choose(&candidate);
        in_case("%s: attributes", candidate.choice);
        callbacks();
        looks_the_same();
        check_ran(&candidate, check_ranks, 0);
    }
    int code = check_end();
    MPI_Finalize();
    return code;
}

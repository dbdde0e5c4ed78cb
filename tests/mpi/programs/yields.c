/* How long MPICH looks in vain before it yields, as it has read when it started: rank 0 writes
 * "throttle VALUE" and "looks VALUE".
 *
 * usage: yields */
#include "check.h"

static int value_of(const char* name) {
    int index = -1, value = -1, count = 0;
    MPI_T_cvar_handle handle;
    if (MPI_T_cvar_get_index(name, &index) != MPI_SUCCESS) return -1;
    MPI_T_cvar_handle_alloc(index, NULL, &handle, &count);
    MPI_T_cvar_read(handle, &value);
    MPI_T_cvar_handle_free(&handle);
    return value;
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init(&argc, &argv);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    check_begin();
    check(getenv("MPIR_CVAR_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT") == NULL,
          "what was set for the host is still in the environment");
    if (check_rank == 0)
        printf("throttle %d looks %d\n", value_of("MPIR_CVAR_CH4_PROGRESS_THROTTLE"),
               value_of("MPIR_CVAR_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT"));
    MPI_T_finalize();
    const int code = check_end();
    MPI_Finalize();
    return code;
}

/* Tasuki's control interface, looked up in the running process. */
#pragma once

#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    int (*choose)(const char* collective, const char* choice);
    int (*reproducible)(const char* mode);
    const char* (*error)(void);
    const char* (*last_algorithm)(const char* collective);
} Control;

/* All members are NULL where Tasuki is not there. */
static inline Control find_control(void) {
    Control control;
    /* ISO C has no cast from an object's address to a function's. */
    *(void**)&control.choose = dlsym(RTLD_DEFAULT, "tasuki_choose");
    *(void**)&control.reproducible = dlsym(RTLD_DEFAULT, "tasuki_reproducible");
    *(void**)&control.error = dlsym(RTLD_DEFAULT, "tasuki_error");
    *(void**)&control.last_algorithm = dlsym(RTLD_DEFAULT, "tasuki_last_algorithm");
    return control;
}

/* Ends the run: every rank calls it, rank 0 says why. */
static inline void give_up(const char* choice, const char* why) {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        fprintf(stderr, "benchmark: '%s' cannot be chosen: %s\n", choice, why);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    PMPI_Barrier(MPI_COMM_WORLD);
}

/* Makes `choice` what `collective` runs from now on; ends the run if it cannot be. */
static inline void choose_algorithm(const Control* control, const char* collective,
                                    const char* choice) {
    if (control->choose) {
        if (control->choose(collective, choice) != 0) give_up(choice, control->error());
    } else if (strcmp(choice, "native") != 0) {
        give_up(choice, "Tasuki is not there; start this under `tasuki run`");
    }
}

/* From now on reductions are as `mode` says; ends the run if they cannot be. */
static inline void choose_mode(const Control* control, const char* mode) {
    if (!control->reproducible) give_up(mode, "Tasuki is not there, or it knows no such modes");
    if (control->reproducible(mode) != 0) give_up(mode, control->error());
}

/* What the last call of `collective` ran, which `choice` was made for: as tasuki_last_algorithm().
 * With the host's own chosen, calls do not meet Tasuki, and it knows nothing of them. */
static inline const char* ran_last(const Control* control, const char* collective,
                                   const char* choice) {
    return strcmp(choice, "native") == 0 ? choice : control->last_algorithm(collective);
}

/* Tasuki's control interface for the Fortran programs. No mpi.h, so that any compiler takes it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int choose_candidate(const char* choice);
int choose_candidate(const char* choice) {
    int (*function)(const char*, const char*);
    *(void**)&function = dlsym(RTLD_DEFAULT, "tasuki_choose");
    if (!function) return getenv("EXPECT_TASUKI") ? -1 : 0;
    return function("alltoall", choice);
}

/* 1 if an algorithm of Tasuki's ran in the last call of a collective, or there is no Tasuki. */
int is_ours(const char* collective);
int is_ours(const char* collective) {
    const char* (*function)(const char*);
    *(void**)&function = dlsym(RTLD_DEFAULT, "tasuki_last_algorithm");
    if (!function) return getenv("EXPECT_TASUKI") == NULL;
    const char* last = function(collective);
    if (*last != 0 && strncmp(last, "native", 6) != 0) return 1;
    printf("FAILED: \"%s\" ran for %s\n", last, collective);
    return 0;
}

/* 1 if `choice` ran last, or there is no Tasuki to ask. */
int candidate_ran(const char* choice);
int candidate_ran(const char* choice) {
    const char* (*function)(const char*);
    *(void**)&function = dlsym(RTLD_DEFAULT, "tasuki_last_algorithm");
    if (!function || strcmp(choice, "native") == 0) return 1;
    const char* last = function("alltoall");
    if (strncmp(last, choice, strlen(choice)) == 0) return 1;
    printf("FAILED: ran \"%s\" for %s\n", last, choice);
    return 0;
}

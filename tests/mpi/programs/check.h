/* What every test program needs: checks that are counted and told, and Tasuki's control interface
 * where it is there. A program says on which rank, in which case and by which algorithm something
 * was wrong, ends with exit code 1 then, and otherwise prints "ok" with the number of checks. */
#pragma once

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Weak, so that the files of a program share them. */
__attribute__((weak)) int check_rank = 0;
__attribute__((weak)) int check_ranks = 1;
__attribute__((weak)) int check_failures = 0;
__attribute__((weak)) int check_count = 0;
__attribute__((weak)) __thread char check_case[256] = "start";

/* What is being tested by this thread from here on, for the messages; CHECK_TRACE=1 shows it at
 * once. */
__attribute__((format(printf, 1, 2), unused)) static void in_case(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(check_case, sizeof check_case, format, arguments);
    va_end(arguments);
    if (getenv("CHECK_TRACE")) fprintf(stderr, "rank %d: %s\n", check_rank, check_case);
}

/* Counts a check; says what was wrong if it does not hold. The first few of a rank are enough. */
__attribute__((format(printf, 2, 3), unused)) static int check(int holds, const char* format, ...) {
    __atomic_add_fetch(&check_count, 1, __ATOMIC_RELAXED);
    if (holds) return 1;
    if (__atomic_add_fetch(&check_failures, 1, __ATOMIC_RELAXED) > 5) return 0;
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    printf("FAILED rank %d of %d: %s: %s\n", check_rank, check_ranks, check_case, text);
    fflush(stdout);
    return 0;
}

/* After MPI_Init: learns who we are. */
__attribute__((unused)) static void check_begin(void) {
    MPI_Comm_rank(MPI_COMM_WORLD, &check_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &check_ranks);
}

/* Before MPI_Finalize: the exit code for main(), equal on all ranks. */
__attribute__((unused)) static int check_end(void) {
    int mine[2] = {check_failures, check_count}, all[2];
    MPI_Allreduce(mine, all, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (check_rank == 0 && all[0] == 0) printf("ok %d checks\n", all[1]);
    if (check_rank == 0 && all[0] != 0) printf("%d of %d checks failed\n", all[0], all[1]);
    fflush(stdout);
    return all[0] != 0;
}

/* A number that looks random and depends on all arguments. */
__attribute__((unused)) static uint32_t mix(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    uint64_t x = ((uint64_t)a << 32 | b) * 0x9E3779B97F4A7C15u;
    x ^= x >> 29;
    x += ((uint64_t)c << 32 | d) * 0xBF58476D1CE4E5B9u;
    x ^= x >> 32;
    x *= 0x94D049BB133111EBu;
    return (uint32_t)(x >> 31);
}

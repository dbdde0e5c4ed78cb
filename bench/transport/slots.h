/* How programs that are compared have their slots of time in turn. See README.md. */
#pragma once

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The pipe that tells rank `rank` to go on: FOLDER/RANK. Without a folder nothing is waited for. */
static inline int open_slots(const char* folder, int rank) {
    if (!folder) return -1;
    char path[4096];
    snprintf(path, sizeof path, "%s/%d", folder, rank);
    int slots = open(path, O_RDONLY);
    if (slots < 0) {
        perror(path);
        exit(2);
    }
    return slots;
}

/* Sleeps until whoever started the program writes a byte. */
static inline void await_slot(int slots) {
    char byte;
    if (slots < 0 || read(slots, &byte, 1) == 1) return;
    fprintf(stderr, "the pipe that tells when to go on was closed\n");
    exit(2);
}

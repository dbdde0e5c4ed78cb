/* Buffers of blocks of more than 2^31 bytes that take hardly any memory. Each block is a few pages,
 * seen at many addresses; its last pages, past 2^31 bytes, are memory of their own. */
#pragma once

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

static const size_t piece = (size_t)1 << 24;
static const size_t tail = (size_t)1 << 20;
static const size_t block = ((size_t)1 << 31) + ((size_t)1 << 20);

/* The addresses of a buffer of so many blocks. */
static inline char* make_buffer(int blocks) {
    char* base = mmap(NULL, block * (size_t)blocks, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    for (int number = 0; number < blocks; ++number) {
        int file = memfd_create("huge", 0);
        if (base == MAP_FAILED || file < 0 || ftruncate(file, (off_t)(piece + tail)))
            MPI_Abort(MPI_COMM_WORLD, 3);
        char* begin = base + block * (size_t)number;
        for (size_t at = 0; at < block; at += piece) {
            int is_tail = at == block - tail;
            void* got = mmap(begin + at, is_tail ? tail : piece, PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_FIXED, file, is_tail ? (off_t)piece : 0);
            if (got == MAP_FAILED) MPI_Abort(MPI_COMM_WORLD, 3);
        }
        close(file);
    }
    return base;
}

/* Byte `at` of what a block has as memory of its own: its first piece and its tail. */
static inline char* own_byte(char* base, int number, size_t at) {
    size_t place = at < piece ? at : at - piece + (block - tail);
    return base + block * (size_t)number + place;
}

static inline uint32_t word_of(int from, int to, size_t at) {
    return mix((uint32_t)from, (uint32_t)to, (uint32_t)(at / 4), 77);
}

/* The block becomes what goes from one rank to another. */
static inline void fill_block(char* base, int number, int from, int to) {
    for (size_t at = 0; at < piece + tail; at += 4)
        *(uint32_t*)own_byte(base, number, at) = word_of(from, to, at);
}

static inline void clear_block(char* base, int number) {
    memset(own_byte(base, number, 0), 0, piece);
    memset(own_byte(base, number, piece), 0, tail);
}

static inline void check_block(char* base, int number, int from, int to) {
    size_t at = 0;
    while (at < piece + tail && *(uint32_t*)own_byte(base, number, at) == word_of(from, to, at))
        at += 4;
    check(at == piece + tail, "block %d from %d is wrong at byte %zu of its own memory", number,
          from, at);
}

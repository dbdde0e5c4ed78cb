/* Blocks whose content tells who sent them, to whom, and when. */
#pragma once

#include <stdint.h>
#include <string.h>

static inline uint64_t payload_seed(int from, int to, long iteration) {
    return (((uint64_t)from << 40) ^ ((uint64_t)to << 20) ^ (uint64_t)iteration) *
           0x9e3779b97f4a7c15u;
}

static inline void payload_fill(char* block, size_t bytes, int from, int to, long iteration) {
    uint64_t word = payload_seed(from, to, iteration);
    size_t i = 0;
    for (; i + sizeof word <= bytes; i += sizeof word, word += 0xbf58476d1ce4e5b9u)
        memcpy(block + i, &word, sizeof word);
    memcpy(block + i, &word, bytes - i);
}

/* Whether the block is as payload_fill() made it. */
static inline int payload_holds(const char* block, size_t bytes, int from, int to, long iteration) {
    uint64_t word = payload_seed(from, to, iteration), wrong = 0, found;
    size_t i = 0;
    for (; i + sizeof word <= bytes; i += sizeof word, word += 0xbf58476d1ce4e5b9u) {
        memcpy(&found, block + i, sizeof found);
        wrong |= found ^ word;
    }
    return !wrong && memcmp(block + i, &word, bytes - i) == 0;
}

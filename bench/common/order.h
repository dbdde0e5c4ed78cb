/* The order in which ways have their turn. */
#pragma once

#include <stdint.h>

/* The numbers below `count`, in an order that `seed` says, the same on every machine: by Fisher and
 * Yates, with random numbers by xorshift (Marsaglia 2003). In one order, turned by one in each
 * repetition, each way would always meet the caches as the same other one leaves them. */
static inline void shuffled_order(int* order, int count, uint32_t seed) {
    uint32_t random = 0x9e3779b9u * (seed + 1);
    for (int i = 0; i < count; ++i) {
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        int place = (int)(random % (uint32_t)(i + 1));
        order[i] = order[place];
        order[place] = i;
    }
}

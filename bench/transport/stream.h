/* A stream: a window of messages one way, then an answer. See README.md. */
#pragma once

#include <stddef.h>

enum { STREAM_MOST_MESSAGES = 64, STREAM_MOST_BYTES = 16 << 20 };

/* How many messages are under way at once: no more bytes than the caches of a node may hold, but
 * one message in any case. */
static inline int stream_window(size_t bytes) {
    const size_t fit = STREAM_MOST_BYTES / bytes;
    return fit < 1 ? 1 : fit > STREAM_MOST_MESSAGES ? STREAM_MOST_MESSAGES : (int)fit;
}

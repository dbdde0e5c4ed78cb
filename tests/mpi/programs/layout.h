/* Datatypes with what they mean written beside them: where each field of an element lies. From
 * that the whole image of a buffer is computed without MPI, gaps and all. */
#pragma once

#include "check.h"

enum { most_fields = 16 };

struct layout {
    const char* name;
    MPI_Datatype type;
    int predefined;
    int fields; /* in the order of the type map */
    MPI_Aint place[most_fields];
    int bytes[most_fields];
    MPI_Aint extent;
};

/* A buffer large enough for `elements` elements of a layout, with guard bytes around. */
struct image {
    unsigned char* memory;
    size_t size;
    unsigned char* base; /* what MPI is given */
};

static inline struct layout make_layout(const char* name, MPI_Datatype type, int predefined,
                                        MPI_Aint extent) {
    struct layout layout = {.name = name, .type = type, .predefined = predefined, .extent = extent};
    if (!predefined) MPI_Type_commit(&layout.type);
    return layout;
}

static inline void add_field(struct layout* layout, MPI_Aint place, int bytes) {
    layout->place[layout->fields] = place;
    layout->bytes[layout->fields++] = bytes;
}

static inline void add_ints(struct layout* layout, int count, const int* places) {
    for (int i = 0; i < count; ++i) add_field(layout, places[i] * (MPI_Aint)sizeof(int), 4);
}

static inline void free_layout(struct layout* layout) {
    if (!layout->predefined) MPI_Type_free(&layout->type);
}

static inline int layout_bytes(const struct layout* layout) {
    int bytes = 0;
    for (int field = 0; field < layout->fields; ++field) bytes += layout->bytes[field];
    return bytes;
}

/* Memory for `elements` elements, all set to `fill`. */
static inline struct image make_image(const struct layout* layout, long elements, int fill) {
    enum { guard = 64 };
    MPI_Aint low = 0, high = 0;
    for (int field = 0; field < layout->fields && elements > 0; ++field) {
        MPI_Aint first = layout->place[field], last = first + (elements - 1) * layout->extent;
        MPI_Aint begin = first < last ? first : last, end = first < last ? last : first;
        if (begin < low) low = begin;
        if (end + layout->bytes[field] > high) high = end + layout->bytes[field];
    }
    low -= low % 16 + 16; /* keeps the base aligned */
    struct image image = {.size = (size_t)(high - low) + 2 * guard};
    if (posix_memalign((void**)&image.memory, 64, image.size)) abort();
    memset(image.memory, fill, image.size);
    image.base = image.memory + guard - low;
    return image;
}

/* Writes the bytes of the stream that starts at byte `at` of the data that `from` sends to `to` in
 * this case into elements first, first + 1, ... */
static inline void write_stream(const struct layout* layout, struct image* image, long first,
                                long elements, int from, int to, uint32_t seed) {
    uint32_t at = 0;
    for (long element = first; element < first + elements; ++element) {
        unsigned char* base = image->base + element * layout->extent;
        for (int field = 0; field < layout->fields; ++field) {
            for (int byte = 0; byte < layout->bytes[field]; ++byte, ++at) {
                uint32_t word = mix(seed, (uint32_t)from << 16 | (uint32_t)to, at / 4, 1);
                base[layout->place[field] + byte] = (unsigned char)(word >> (at % 4 * 8));
            }
        }
    }
}

/* That two images are equal; else the first byte in which they differ, counted from the base.
 * `what` and `note` name them. */
static inline void check_same(const struct image* got, const struct image* expected,
                              const char* what, const char* note) {
    size_t at = 0;
    if (memcmp(got->memory, expected->memory, got->size) != 0)
        while (got->memory[at] == expected->memory[at]) ++at;
    else
        at = got->size;
    check(at == got->size, "%s%s: byte %ld is %02x, expected %02x", what, note,
          (long)(got->memory + at - got->base), at < got->size ? got->memory[at] : 0,
          at < got->size ? expected->memory[at] : 0);
}

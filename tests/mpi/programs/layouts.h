/* The datatypes that all-to-all is tested with, in families of equal signature: layouts of one
 * family may meet as send type and receive type. */
#pragma once

#include "layout.h"

enum { int_layouts = 17, pair_layouts = 6, basic_layouts = 12 };

/* Layouts made of MPI_INT; the number of ints in an element divides 12. `ints_per_buffer` is how
 * many a whole buffer holds. */
struct layout int_layout(int kind, long ints_per_buffer);

/* Layouts made of (MPI_DOUBLE, MPI_INT), once or twice. */
struct layout pair_layout(int kind);

/* Predefined types, pair types with gaps among them, and a type without data. */
struct layout basic_layout(int kind);

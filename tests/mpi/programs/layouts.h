/* The datatypes that all-to-all is tested with, in families of equal signature: layouts of one
 * family may meet as send type and receive type. */
#pragma once

#include "layout.h"

enum { int_layouts = 17, pair_layouts = 6, basic_layouts = 15, huge_layouts = 3 };

/* Layouts made of MPI_INT; the number of ints in an element divides 12. `ints_per_buffer` is how
 * many a whole buffer holds. */
struct layout int_layout(int kind, long ints_per_buffer);

/* Layouts made of (MPI_DOUBLE, MPI_INT), once or twice. */
struct layout pair_layout(int kind);

/* Predefined types, pair types with gaps among them, those that Fortran's precision gives, and a
 * type without data. */
struct layout basic_layout(int kind);

/* Layouts made of the same thousands of MPI_INT: one element is past the hosts' eager limits. */
struct layout huge_layout(int kind);

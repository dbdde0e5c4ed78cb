/* Random calls of collectives, against what PMPI_ calls of the host answer. What all ranks must do
 * alike comes from numbers that all ranks draw; what may differ from numbers of their own. */
#pragma once

#include "tasuki_control.h"

/* The same program with the bindings of large counts. */
#ifdef LARGE_COUNTS
typedef MPI_Count number;
typedef MPI_Aint distance;
#define FORM_OF(name) name##_c
#else
typedef int number;
typedef int distance;
#define FORM_OF(name) name
#endif

/* A communicator to call on, and who we are there. */
struct place {
    MPI_Comm comm;
    int rank, ranks;
};

struct draws {
    uint32_t state;
};

static inline int draw(struct draws* draws, int below) {
    draws->state = mix(draws->state, 17, 4, 1999);
    return (int)(draws->state % (uint32_t)below);
}

/* One call of a collective by Tasuki and by the host. */
typedef void one_call(const struct place* place, struct draws* common, struct draws* own);

struct collective {
    const char* name;    /* as Tasuki calls it */
    const char* variant; /* which of its MPI calls */
    one_call* call;
};

/* Elements are pairs of ints; a rank has them in one of these forms, of equal signature. */
struct form {
    MPI_Datatype type;
    int per_pair; /* elements of the type */
    int extent;   /* bytes a pair takes */
};
enum { forms = 4, largest_extent = 16 };
extern struct form form_of[forms];
void make_forms(void);
void free_forms(void);

/* Memory for so many pairs in any form, filled alike for equal seeds; with a margin. */
char* filled(int pairs, uint32_t seed);
/* Checks that both are equal, margins and gaps too, and frees both. */
void same(char* ours, char* hosts, int pairs, const char* what);
/* A number of pairs: often 0 or few, sometimes many. */
int any_pairs(struct draws* draws);

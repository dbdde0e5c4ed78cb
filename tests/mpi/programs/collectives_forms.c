/* The elements of random calls, and memory for them, for collectives.c and stress.c. */
#include "collectives.h"

struct form form_of[forms];

void make_forms(void) {
    MPI_Datatype pair, apart, turned, made;
    int ones[2] = {1, 1};
    MPI_Aint places[2] = {4, 0};
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_vector(2, 1, 2, MPI_INT, &made);
    MPI_Type_create_resized(made, 0, 16, &apart);
    MPI_Type_free(&made);
    MPI_Type_create_hindexed(2, ones, places, MPI_INT, &turned);
    MPI_Type_commit(&pair), MPI_Type_commit(&apart), MPI_Type_commit(&turned);
    form_of[0] = (struct form){MPI_INT, 2, 8};
    form_of[1] = (struct form){pair, 1, 8};
    form_of[2] = (struct form){apart, 1, 16};
    form_of[3] = (struct form){turned, 1, 8};
}

void free_forms(void) {
    for (int i = 1; i < forms; ++i) MPI_Type_free(&form_of[i].type);
}

enum { margin = 64 };

static size_t bytes_for(int pairs) {
    return (size_t)pairs * largest_extent + 2 * margin;
}

char* filled(int pairs, uint32_t seed) {
    char* bytes = malloc(bytes_for(pairs));
    for (size_t i = 0; i < bytes_for(pairs); ++i) bytes[i] = (char)mix(seed, (uint32_t)i, 3, 7);
    return bytes + margin;
}

void same(char* ours, char* hosts, int pairs, const char* what) {
    ours -= margin, hosts -= margin;
    size_t at = 0;
    while (at < bytes_for(pairs) && ours[at] == hosts[at]) ++at;
    check(at == bytes_for(pairs), "%s differs at byte %d of %d pairs", what, (int)at - margin,
          pairs);
    free(ours), free(hosts);
}

int any_pairs(struct draws* draws) {
    int size = draw(draws, 10);
    return size == 0  ? 0
           : size < 7 ? draw(draws, 20)
           : size < 9 ? draw(draws, 700)
                      : draw(draws, 9000);
}

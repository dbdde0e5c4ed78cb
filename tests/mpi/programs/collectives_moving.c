/* Calls that move data, for collectives.c. */
#include "collectives.h"

static const struct form* any_form(struct draws* own) {
    return &form_of[draw(own, forms)];
}

static void barrier(const struct place* place, struct draws* common, struct draws* own) {
    (void)common, (void)own;
    check(MPI_Barrier(place->comm) == MPI_SUCCESS, "MPI_Barrier failed");
}

static void bcast(const struct place* place, struct draws* common, struct draws* own) {
    int pairs = any_pairs(common), root = draw(common, place->ranks);
    const struct form* form = any_form(own);
    uint32_t seed = own->state;
    char *ours = filled(pairs, seed), *hosts = filled(pairs, seed);
    PMPI_Bcast(hosts, pairs * form->per_pair, form->type, root, place->comm);
    MPI_Bcast(ours, pairs * form->per_pair, form->type, root, place->comm);
    same(ours, hosts, pairs, "buffer");
}

const struct collective moving[] = {
    {"barrier", "MPI_Barrier", barrier},
    {"bcast", "MPI_Bcast", bcast},
    {NULL, NULL, NULL},
};

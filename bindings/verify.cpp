#include <nanobind/stl/string_view.h>

#include "core.hpp"
#include "verify/reduction_facts.hpp"

namespace nb = nanobind;

namespace tasuki::bindings {

namespace {

nb::list reductions() {
    nb::list rows;
    for (const ReductionFacts& facts : all_reduction_facts()) {
        nb::dict row;
        row["collective"] = facts.algorithm->collective;
        row["name"] = facts.algorithm->name;
        row["same_on_all_ranks"] = facts.same_on_all_ranks;
        row["same_for_all_chunks"] = facts.same_for_all_chunks;
        row["same_for_all_placements"] = facts.same_for_all_placements;
        row["same_for_all_roots"] = facts.same_for_all_roots;
        row["same_for_all_parameters"] = facts.same_for_all_parameters;
        row["needs_commutativity"] = !facts.keeps_rank_order;
        row["canonical"] = facts.canonical;
        row["canonical_for_powers_of_two"] = facts.canonical_for_powers_of_two;
        rows.append(row);
    }
    return rows;
}

}  // namespace

void bind_verify(nb::module_& core) {
    core.def("reductions", &reductions,
             "What the expression trees of the rows that reduce have in common, computed now.");
}

}  // namespace tasuki::bindings

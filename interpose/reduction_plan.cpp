#include "interpose/reduction_plan.hpp"

#include <atomic>
#include <string>

#include "interpose/exact_ways.hpp"
#include "interpose/process.hpp"
#include "interpose/run_choice.hpp"
#include "interpose/say.hpp"

namespace tasuki::interpose {

namespace {

/// Once for each `subject`, by the ranks that speak.
void tell(const std::string& subject, const std::string& text) {
    if (process().speaks()) say_once(subject, text);
}

std::string mode_text(ReductionMode mode) {
    return "reductions are reproducible by \"" + std::string(name_of(mode)) + "\"";
}

void tell_what_exact_is_not() {
    static std::atomic<bool> is_told = false;
    if (is_told.load(std::memory_order_relaxed) || is_told.exchange(true)) return;
    tell("exact",
         mode_text(ReductionMode::exact) +
             ", which sums of float, double and their complex types can be; others have the "
             "same bits on any placement, but not on another number of ranks");
}

const char* why_not_in_order(const Algorithm& row, int) {
    return row.tree == ReductionTree::any_order
               ? "it changes the order of ranks and the operation does not commute"
               : nullptr;
}

const char* why_not_canonical(const Algorithm& row, int ranks) {
    return row.is_canonical(ranks) ? nullptr : "it does not evaluate the canonical tree";
}

/// From so many bytes for each rank on, a block is worth a message of its own.
constexpr std::int64_t least_block_bytes = 1024;

/// The canonical row for who has no other wish.
const Wish* canonical_wish(Collective collective, int ranks, std::int64_t bytes) {
    static const Wish allreduce_short = parse_wish("allreduce", "canonical-tree");
    static const Wish allreduce_long = parse_wish("allreduce", "direct");
    static const Wish blocks_short = parse_wish("reduce-scatter", "recursive-doubling");
    static const Wish blocks_long = parse_wish("reduce-scatter", "canonical-tree");
    static const Wish reduce = parse_wish("reduce", "canonical-tree");
    static const Wish scan = parse_wish("scan", "canonical-tree");
    static const Wish exscan = parse_wish("exscan", "canonical-tree");
    const bool is_long = bytes / ranks >= least_block_bytes;
    switch (collective) {
        case Collective::allreduce:
            return is_long ? &allreduce_long : &allreduce_short;
        case Collective::reduce_scatter:
            return is_long ? &blocks_long : &blocks_short;
        case Collective::scan:
            return &scan;
        case Collective::exscan:
            return &exscan;
        default:
            return &reduce;
    }
}

const Choice* instead_of_host(Collective collective, int ranks, std::int64_t bytes, Carrier) {
    return canonical_wish(collective, ranks, bytes);
}

constexpr RowFilter rows_in_order{"-in-order", why_not_in_order, nullptr};
constexpr RowFilter canonical_rows{"-canonical", why_not_canonical, instead_of_host};
constexpr RowFilter rows_of_pairs{"-exact", every_row.why_not, instead_of_host};

/// The rounded sum of two numbers is that of either order, so any row adds two vectors exactly.
ReductionPlan plan_exact_sum(Collective collective, const Wish* wish, int ranks,
                             std::int64_t bytes) {
    if (ranks != 2) return {wish, &exact_ways(bytes, ranks), ExactSumsBy::ways};
    const bool is_native = !wish->is_automatic && wish->algorithm == nullptr;
    return {is_native ? canonical_wish(collective, ranks, bytes) : wish, &rows_of_pairs,
            ExactSumsBy::pairs};
}

}  // namespace

ReductionPlan plan_reduction(const PlannedCall& call, const Reduction& reduction, int ranks,
                             std::int64_t bytes) {
    const Collective collective = call.collective;
    const Wish* wish = call.wish;
    if (call.mode == ReductionMode::off) {
        return {wish, reduction.commutes() ? &every_row : &rows_in_order};
    }
    if (call.mode == ReductionMode::exact) {
        if (reduction.exact_sum_of()) return plan_exact_sum(collective, wish, ranks, bytes);
        if (reduction.depends_on_order()) tell_what_exact_is_not();
    }
    if (wish->is_automatic) return {wish, &canonical_rows};
    if (wish->algorithm != nullptr && wish->algorithm->is_canonical(ranks)) {
        return {wish, &canonical_rows};
    }
    const Wish* canonical = canonical_wish(collective, ranks, bytes);
    if (wish->algorithm != nullptr) {
        const std::string name(collective_names[static_cast<std::size_t>(collective)]);
        tell(name + " " + wish->text(), mode_text(call.mode) + ": " + name + " runs by " +
                                            canonical->text() + " and not by " + wish->text() +
                                            ", which does not evaluate the canonical tree on " +
                                            std::to_string(ranks) + " ranks");
    }
    return {canonical, &canonical_rows};
}

void tell_of_mode(const PlannedCall& call, const std::string& subject, const std::string& text) {
    tell(subject, mode_text(call.mode) + ", but " + text);
}

void tell_of_host(const PlannedCall& call, const char* reason) {
    if (call.mode == ReductionMode::off) return;
    const std::string name(collective_names[static_cast<std::size_t>(call.collective)]);
    tell_of_mode(
        call, name + reason,
        "the host MPI does " + name + " where " + reason + ": it may give other bits elsewhere");
}

Handled reduction_to_the_host(const PlannedCall& call, const char* reason) {
    tell_of_host(call, reason);
    return to_the_host(call.collective, reason);
}

}  // namespace tasuki::interpose

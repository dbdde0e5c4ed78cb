// What a reduction may run by, in the mode that is on.
#pragma once

#include <cstdint>
#include <string>

#include "calls/collectives.hpp"
#include "interpose/handled.hpp"
#include "interpose/reduction.hpp"
#include "interpose/reduction_mode.hpp"
#include "interpose/row_filter.hpp"
#include "interpose/wishes.hpp"

namespace tasuki::interpose {

/// What is known of a reduction beside its data.
struct PlannedCall {
    Collective collective;
    int root = 0;  ///< 0 where there is none
    ReductionMode mode = ReductionMode::off;
    const Wish* wish = nullptr;  ///< what it is to run by, if its mode lets it
};

/// What the sums of a reduction are, if they are exact.
enum class ExactSumsBy : std::uint8_t {
    nothing,  ///< they are not
    pairs,    ///< of two ranks: rows whose reduce steps each give an exact sum
    ways,     ///< ExactSums, by one of `rows`
};

/// The same on all ranks, because it follows from what they all know.
struct ReductionPlan {
    const Wish* wish;
    const RowFilter* rows;
    ExactSumsBy exact = ExactSumsBy::nothing;
};

/// For `bytes` in all, as SelectionKey counts them, on `ranks` ranks. Where a mode does not let run
/// what is wished, another row takes its place, and that is said once.
ReductionPlan plan_reduction(const PlannedCall& call, const Reduction& reduction, int ranks,
                             std::int64_t bytes);

/// Says once, in a mode that the host does not keep, why it does such calls.
void tell_of_host(const PlannedCall& call, const char* reason);

/// What `call.mode` asks for, once for each `subject`: "reductions are ..., but " and `text`.
void tell_of_mode(const PlannedCall& call, const std::string& subject, const std::string& text);

/// As to_the_host(), and tell_of_host().
Handled reduction_to_the_host(const PlannedCall& call, const char* reason);

}  // namespace tasuki::interpose

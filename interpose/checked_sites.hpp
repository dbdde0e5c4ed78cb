// What the check of reductions has found so far in this process.
#pragma once

#include "calls/collectives.hpp"
#include "interpose/reduction.hpp"
#include "reduce/difference.hpp"
#include "sites/site_table.hpp"

namespace tasuki::interpose {

// Of the call that this thread is in.

void count_checked_call(Collective collective, const Reduction& reduction, int ranks,
                        const reduction::Difference& found);
/// `reduction`: nullptr where it is not known.
void count_unchecked_call(Collective collective, const Reduction* reduction, const char* reason);
void count_independent_call();

SiteTable& checked_sites();

}  // namespace tasuki::interpose

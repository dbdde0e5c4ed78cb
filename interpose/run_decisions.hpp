// What was learnt in this run, for communicators that are yet to come.
#pragma once

#include <cstdint>
#include <memory>

#include "schedule/placement.hpp"
#include "select/decision_book.hpp"

namespace tasuki::interpose {

/// Decisions for communicators of one shape, and a digest of their text: 0 where there are none.
struct RunDecisions {
    std::shared_ptr<const DecisionBook> book;
    std::uint64_t digest = 0;
};

/// By each rank of a communicator that has chosen: the next one may have any of them as its rank 0.
/// A later decision for the same key replaces an earlier one.
///
/// Memory: some KiB for each key that was learnt.
void note_decision(const SelectionKey& key, const Decision& decision);

/// By a rank that was told these by another one, in addition to what it knows itself.
void note_decisions(const DecisionBook& told);

/// What this process knows for communicators placed like that. What other ranks know may differ.
RunDecisions decisions_of_run(const Placement& placement);

}  // namespace tasuki::interpose

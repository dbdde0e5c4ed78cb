// One call that selection has a say in.
#pragma once

#include <cstdint>

#include "algorithms/algorithm.hpp"
#include "select/call_sequence.hpp"

namespace tasuki::interpose {

class SelectedSize;

/// What selection says of a call before it runs, and has to be told afterwards.
struct Turn {
    const Choice* choice = nullptr;
    SelectedSize* size = nullptr;  ///< nullptr: there is nothing to select
    CallPlan plan{};
    std::uint64_t began = 0;  ///< selection_clock(), where the call is watched

    /// Whether `size` is to be told by end().
    bool is_watched() const { return plan.timed || plan.agree; }
};

/// A call that goes to the host and that selection has to be told of when it has returned: its
/// handler leaves it, and its entry point takes it on the same thread before it calls the host, in
/// which a tool may make calls of its own.
void leave_turn(const Turn& turn);
/// None that is_watched() where nothing was left.
Turn take_left_turn();
void end_turn(const Turn& turn);

}  // namespace tasuki::interpose

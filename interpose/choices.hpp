// Which algorithm each collective is to run by.
#pragma once

#include <string_view>

#include "algorithms/algorithm.hpp"
#include "interpose/handlers.hpp"

namespace tasuki::interpose {

/// Never nullptr; equal choices are the same object, which lives as long as the process, so that
/// what is prepared for a choice can be kept under its address.
const Choice* current_choice(Collective collective);

/// Throws std::invalid_argument with a sentence that names the valid choices; then nothing changes.
void choose(Collective collective, std::string_view text);

/// From when MPI runs until it ends.
void allow_choices(bool allowed);

}  // namespace tasuki::interpose

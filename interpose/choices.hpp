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
void set_choice(Collective collective, std::string_view text);

/// What is chosen takes effect while `allowed`: from when MPI runs under Tasuki until it ends.
void allow_choices(bool allowed);
bool choices_are_allowed();

}  // namespace tasuki::interpose

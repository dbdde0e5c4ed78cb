#pragma once

#include <string_view>

namespace tasuki::interpose {

/// Writes "tasuki: MESSAGE" to standard error, whole, so that ranks do not interleave.
void say(std::string_view message);

}  // namespace tasuki::interpose

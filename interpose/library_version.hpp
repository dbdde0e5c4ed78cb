#pragma once

#include <string>

namespace tasuki::interpose {

/// What the host says of itself; needs no handles, so that it can be asked before anything else.
/// Empty if it says nothing.
std::string library_version();

/// The first line of it, with single spaces.
std::string host_version();

}  // namespace tasuki::interpose

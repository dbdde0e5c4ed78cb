// Where what one run learns is kept for the next.
#pragma once

#include <filesystem>

namespace tasuki {

/// Where decisions and P-LogP parameters are kept: $TASUKI_CACHE, else $XDG_CACHE_HOME/tasuki
/// if that is an absolute path, else $HOME/.cache/tasuki; empty if none of them is set.
std::filesystem::path cache_directory();

}  // namespace tasuki

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tasuki::launcher {

/// The paths that the bytes of an /etc/ld.so.cache give for the library `name`, in their order.
/// Empty for an unknown format: the default folders are then all there is.
std::vector<std::string> cached_paths(std::span<const std::byte> cache, std::string_view name);

}  // namespace tasuki::launcher

#include "predict/cache_directory.hpp"

#include <cstdlib>

namespace tasuki {

std::filesystem::path cache_directory() {
    if (const char* own = std::getenv("TASUKI_CACHE"); own != nullptr && *own != 0) return own;
    if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != 0) {
        return std::filesystem::path(cache) / "tasuki";
    }
    if (const char* home = std::getenv("HOME"); home != nullptr && *home != 0) {
        return std::filesystem::path(home) / ".cache" / "tasuki";
    }
    return {};
}

}  // namespace tasuki

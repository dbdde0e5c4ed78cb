#include "predict/cache_directory.hpp"

#include <cstdlib>

namespace tasuki {

std::filesystem::path cache_directory() {
    if (const char* own = std::getenv("TASUKI_CACHE"); own != nullptr && *own != 0) return own;
    if (const char* text = std::getenv("XDG_CACHE_HOME"); text != nullptr) {
        // As the XDG Base Directory Specification says: "consider the path invalid and ignore it".
        const std::filesystem::path cache = text;
        if (cache.is_absolute()) return cache / "tasuki";
    }
    if (const char* home = std::getenv("HOME"); home != nullptr && *home != 0) {
        return std::filesystem::path(home) / ".cache" / "tasuki";
    }
    return {};
}

}  // namespace tasuki

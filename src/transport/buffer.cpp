#include "transport/buffer.hpp"

namespace tasuki {

UnevenChunks UnevenChunks::packed(std::span<const std::int64_t> units) {
    UnevenChunks chunks;
    chunks.place.reserve(units.size());
    chunks.cut.reserve(units.size() + 1);
    chunks.clear();
    for (const std::int64_t count : units) chunks.add(count);
    return chunks;
}

}  // namespace tasuki

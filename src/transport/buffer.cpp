#include "transport/buffer.hpp"

namespace tasuki {

UnevenChunks UnevenChunks::packed(std::span<const std::int64_t> units) {
    UnevenChunks chunks;
    chunks.place.reserve(units.size());
    chunks.cut.reserve(units.size() + 1);
    chunks.cut.push_back(0);
    for (const std::int64_t count : units) {
        chunks.place.push_back(chunks.cut.back());
        chunks.cut.push_back(chunks.cut.back() + count);
    }
    return chunks;
}

}  // namespace tasuki

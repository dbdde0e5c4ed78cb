#include "execute/chunk_sizes.hpp"

#include <algorithm>

namespace tasuki {

std::vector<std::int64_t> cut_evenly(std::int64_t units, std::int32_t chunks) {
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(chunks), units / chunks);
    std::fill_n(sizes.begin(), units % chunks, units / chunks + 1);
    return sizes;
}

UnevenChunks heads_and_tails(const UnevenChunks& blocks, std::int64_t capacity) {
    const std::size_t count = blocks.place.size();
    UnevenChunks chunks = blocks;
    chunks.place.resize(2 * count);
    chunks.cut.resize(2 * count + 1);
    for (std::size_t block = 0; block < count; ++block) {
        const std::int64_t units = blocks.cut[block + 1] - blocks.cut[block];
        const std::int64_t head = std::min(units, capacity);
        chunks.cut[block + 1] = chunks.cut[block] + head;
        chunks.place[count + block] = blocks.place[block] + head;
        chunks.cut[count + block + 1] = units - head;
    }
    for (std::size_t tail = count; tail < 2 * count; ++tail) {
        chunks.cut[tail + 1] += chunks.cut[tail];
    }
    return chunks;
}

UnevenChunks scratch_of(const Program& program, std::span<const std::int64_t> units) {
    const std::int64_t largest = units.empty() ? 0 : std::ranges::max(units);
    std::vector<std::int64_t> sizes;
    sizes.reserve(static_cast<std::size_t>(program.scratch_chunks));
    for (const SizeRun& run : program.scratch_sizes) {
        for (std::int32_t i = 0; i < run.count; ++i) {
            sizes.push_back(run.first_size == any_size
                                ? largest
                                : units[static_cast<std::size_t>(run.first_size + i)]);
        }
    }
    sizes.resize(static_cast<std::size_t>(program.scratch_chunks), largest);
    return UnevenChunks::packed(sizes);
}

}  // namespace tasuki

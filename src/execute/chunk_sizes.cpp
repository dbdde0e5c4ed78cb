#include "execute/chunk_sizes.hpp"

#include <algorithm>

namespace tasuki {

std::vector<std::int64_t> cut_evenly(std::int64_t units, std::int32_t chunks) {
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(chunks), units / chunks);
    std::fill_n(sizes.begin(), units % chunks, units / chunks + 1);
    return sizes;
}

void split_into_heads_and_tails(UnevenChunks& chunks, std::int64_t capacity) {
    const std::size_t count = chunks.place.size();
    chunks.place.resize(2 * count);
    chunks.cut.resize(2 * count + 1);
    std::int64_t begin = 0;  // of a block, before its cut becomes that of its head
    for (std::size_t block = 0; block < count; ++block) {
        const std::int64_t end = chunks.cut[block + 1];
        const std::int64_t units = end - begin;
        const std::int64_t head = std::min(units, capacity);
        begin = end;
        chunks.cut[block + 1] = chunks.cut[block] + head;
        chunks.place[count + block] = chunks.place[block] + head;
        chunks.cut[count + block + 1] = units - head;
    }
    for (std::size_t tail = count; tail < 2 * count; ++tail) {
        chunks.cut[tail + 1] += chunks.cut[tail];
    }
}

UnevenChunks scratch_of(const Program& program, std::span<const std::int64_t> units) {
    UnevenChunks chunks;
    chunks.place.reserve(static_cast<std::size_t>(program.scratch_chunks));
    chunks.cut.reserve(static_cast<std::size_t>(program.scratch_chunks) + 1);
    lay_out_scratch(program, units, chunks);
    return chunks;
}

void lay_out_scratch(const Program& program, std::span<const std::int64_t> units,
                     UnevenChunks& chunks) {
    const std::int64_t largest = units.empty() ? 0 : std::ranges::max(units);
    chunks.clear();
    for (const SizeRun& run : program.scratch_sizes) {
        for (std::int32_t i = 0; i < run.count; ++i) {
            chunks.add(run.first_size == any_size
                           ? largest
                           : units[static_cast<std::size_t>(run.first_size + i)]);
        }
    }
    const auto all = static_cast<std::size_t>(program.scratch_chunks);
    while (chunks.place.size() < all) chunks.add(largest);
}

}  // namespace tasuki

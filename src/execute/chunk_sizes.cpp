#include "execute/chunk_sizes.hpp"

#include <algorithm>

namespace tasuki {

std::vector<std::int64_t> cut_evenly(std::int64_t units, std::int32_t chunks) {
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(chunks), units / chunks);
    std::fill_n(sizes.begin(), units % chunks, units / chunks + 1);
    return sizes;
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

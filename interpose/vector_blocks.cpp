#include "interpose/vector_blocks.hpp"

#include <algorithm>
#include <functional>

namespace tasuki::interpose {

std::int64_t elements_of_a_pass(int ranks, std::int64_t element_bytes) {
    constexpr std::int64_t most_of_all = std::int64_t{512} << 10;
    constexpr std::int64_t least_of_each = std::int64_t{32} << 10;
    return std::max<std::int64_t>(1, std::max(least_of_each, most_of_all / ranks) / element_bytes);
}

bool are_equal(std::span<const std::int64_t> counts) {
    return std::ranges::adjacent_find(counts, std::not_equal_to{}) == counts.end();
}

VectorBlocks::VectorBlocks(std::span<const std::int64_t> counts, std::int64_t element_bytes)
    : counts_(counts.begin(), counts.end()),
      places_(UnevenChunks::packed(counts)),
      element_bytes_(element_bytes) {}

VectorBlocks VectorBlocks::part(std::int64_t first, std::int64_t most) const {
    std::vector<std::int64_t> counts = counts_;
    for (std::int64_t& count : counts) count = std::clamp<std::int64_t>(count - first, 0, most);
    VectorBlocks part(counts, element_bytes_);
    part.places_.place = places_.place;
    for (std::int64_t& place : part.places_.place) place += first;
    return part;
}

Buffer VectorBlocks::buffer(std::byte* vector) const {
    Buffer buffer = Buffer::contiguous(vector, element_bytes_);
    buffer.uneven = &places_;
    return buffer;
}

}  // namespace tasuki::interpose

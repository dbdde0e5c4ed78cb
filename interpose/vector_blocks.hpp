#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "transport/buffer.hpp"

namespace tasuki::interpose {

/// How many elements of a chunk go through at a time, where a rank has the chunks of all ranks
/// together before it sums them up: 512 KiB of all, or 32 KiB of each where that is more. These are
/// read while a cache has them, and the memory that they take does not grow with the vector.
std::int64_t elements_of_a_pass(int ranks, std::int64_t element_bytes);

/// nullptr where there is no vector on this rank.
inline std::byte* behind(std::byte* vector, std::int64_t bytes) {
    return vector == nullptr ? nullptr : vector + bytes;
}

bool are_equal(std::span<const std::int64_t> counts);

/// Blocks of a vector, one for each rank.
///
/// Memory: 24 bytes a rank.
class VectorBlocks {
  public:
    /// So many elements, one block behind the other.
    VectorBlocks(std::span<const std::int64_t> counts, std::int64_t element_bytes);

    /// `most` elements of each, or what there is, from the `first` on.
    VectorBlocks part(std::int64_t first, std::int64_t most) const;

    std::span<const std::int64_t> counts() const { return counts_; }
    std::int64_t element_bytes() const { return element_bytes_; }
    const UnevenChunks& places() const { return places_; }

    std::byte* block(std::byte* vector, std::int64_t rank) const {
        return vector + places_.place[static_cast<std::size_t>(rank)] * element_bytes_;
    }
    /// With a chunk for each rank. Holds as long as this does.
    Buffer buffer(std::byte* vector) const;

  private:
    std::vector<std::int64_t> counts_;
    UnevenChunks places_;
    std::int64_t element_bytes_;
};

}  // namespace tasuki::interpose

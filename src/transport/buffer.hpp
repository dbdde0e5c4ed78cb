// Where the chunks of a schedule lie in memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tasuki {

/// Elements that do not lie as they are sent: derived datatypes with gaps, or in another order.
/// `base` is the address that MPI calls the buffer's; packed elements are contiguous bytes.
class ElementType {
  public:
    virtual ~ElementType() = default;
    virtual void pack(const std::byte* base, std::int64_t elements, std::byte* packed) const = 0;
    virtual void unpack(const std::byte* packed, std::byte* base, std::int64_t elements) const = 0;
};

/// A buffer cut into equal chunks. Sizes are bytes.
struct Buffer {
    std::byte* base = nullptr;          ///< address of chunk 0
    std::int64_t chunk_bytes = 0;       ///< packed size of a chunk
    std::int64_t chunk_distance = 0;    ///< between the addresses of neighbouring chunks
    std::int64_t chunk_elements = 0;    ///< elements of `type` in a chunk; unused without a type
    const ElementType* type = nullptr;  ///< nullptr: chunks are contiguous bytes, without gaps

    std::byte* address(std::int32_t chunk) const { return base + chunk * chunk_distance; }
    /// Packed size of `count` chunks.
    std::int64_t bytes(std::int32_t count) const { return count * chunk_bytes; }

    static Buffer contiguous(void* base, std::int64_t chunk_bytes) {
        return {static_cast<std::byte*>(base), chunk_bytes, chunk_bytes, 0, nullptr};
    }
};

}  // namespace tasuki

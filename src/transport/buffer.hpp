// Where the chunks of a schedule lie in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tasuki {

/// Elements that do not lie as they are sent: derived datatypes with gaps, or in another order.
/// `base` is the address that MPI calls the buffer's; packed elements are contiguous bytes.
class ElementType {
  public:
    virtual ~ElementType() = default;
    virtual void pack(const std::byte* base, std::int64_t elements, std::byte* packed) const = 0;
    virtual void unpack(const std::byte* packed, std::byte* base, std::int64_t elements) const = 0;
};

/// Where the chunks of a buffer lie that are not equally large, in units of the buffer. Neighbours
/// that are sent or received in one message lie next to each other.
struct UnevenChunks {
    std::vector<std::int64_t> place;  ///< [chunk] first unit
    std::vector<std::int64_t> cut;    ///< [chunks + 1] units of all chunks before

    /// Chunks of so many units, one behind the other.
    static UnevenChunks packed(std::span<const std::int64_t> units);

    /// To none, with the memory that it has, for add().
    void clear() {
        place.clear();
        cut.assign(1, 0);
    }
    /// One more chunk, of so many units, behind the others. Once clear() was called.
    void add(std::int64_t units) {
        place.push_back(cut.back());
        cut.push_back(cut.back() + units);
    }
};

/// A buffer cut into equal chunks. Sizes are bytes. With `uneven` it is cut into equal units, of
/// which a chunk has any number: what is said here of a chunk is then true of a unit.
struct Buffer {
    std::byte* base = nullptr;             ///< address of chunk 0
    std::int64_t chunk_bytes = 0;          ///< packed size of a chunk
    std::int64_t chunk_distance = 0;       ///< between the addresses of neighbouring chunks
    std::int64_t chunk_elements = 0;       ///< elements of `type` in a chunk; unused without a type
    const ElementType* type = nullptr;     ///< nullptr: chunks are contiguous bytes, without gaps
    const UnevenChunks* uneven = nullptr;  ///< must stay as long as the buffer

    std::byte* address(std::int32_t chunk) const {
        return base + (uneven == nullptr ? chunk : uneven->place[chunk]) * chunk_distance;
    }
    /// How many units `count` chunks from `first` on have: the chunks themselves where they are
    /// equal.
    std::int64_t units(std::int32_t first, std::int32_t count) const {
        return uneven == nullptr ? count : uneven->cut[first + count] - uneven->cut[first];
    }
    /// Packed size of `count` units.
    std::int64_t bytes(std::int64_t count) const { return count * chunk_bytes; }
    /// Whether a message of these chunks is left out, on both sides: it has chunks, but not a byte.
    bool leaves_out(std::int32_t first, std::int32_t count) const {
        return count > 0 && bytes(units(first, count)) == 0;
    }

    static Buffer contiguous(void* base, std::int64_t chunk_bytes) {
        return {static_cast<std::byte*>(base), chunk_bytes, chunk_bytes, 0, nullptr, nullptr};
    }
};

}  // namespace tasuki

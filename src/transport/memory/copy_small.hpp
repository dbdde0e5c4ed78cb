// Copies of a few bytes, without a call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tasuki::memory {

/// Copies up to some hundred bytes, which do not overlap: the last part overlaps what was copied
/// before it. What is asked for is mostly a number or two, which must not wait for memcpy to look
/// at its size.
inline void copy_small(std::byte* to, const std::byte* from, std::size_t bytes) {
    const auto copy_part = [&]<typename Part>(std::size_t place, Part) {
        Part part;
        std::memcpy(&part, from + place, sizeof part);
        std::memcpy(to + place, &part, sizeof part);
    };
    struct Wide {
        std::uint64_t half[2];
    };
    if (bytes > 64) {
        for (std::size_t place = 0; place + sizeof(Wide) < bytes; place += sizeof(Wide))
            copy_part(place, Wide{});
        copy_part(bytes - sizeof(Wide), Wide{});
    } else if (bytes >= 8) [[likely]] {
        for (std::size_t place = 0; place + 8 < bytes; place += 8)
            copy_part(place, std::uint64_t{});
        copy_part(bytes - 8, std::uint64_t{});
    } else if (bytes >= 4) {
        copy_part(0, std::uint32_t{});
        copy_part(bytes - 4, std::uint32_t{});
    } else {
        for (std::size_t place = 0; place < bytes; ++place) to[place] = from[place];
    }
}

}  // namespace tasuki::memory

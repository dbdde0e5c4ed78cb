// What of the memory transport can be set.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tasuki::memory {

/// Equal on all ranks of a node.
struct Settings {
    /// Bytes that a rank may share at the most (TASUKI_MEMORY_LIMIT).
    std::size_t memory_limit = std::size_t{64} << 20;
    /// From so many bytes on a message goes straight from buffer to buffer, if the system lets it,
    std::uint64_t direct_bytes = 8192;
    /// unless it has no more bytes than this and finds warm blocks (blocks.hpp), or cold ones take
    /// less time (faster_way.hpp).
    std::uint64_t warm_bytes = 4194304;
    /// From so many bytes on, of a message for which its receiver has left a request, both ends
    /// copy where each rank has a core,
    std::uint64_t shared_bytes = 262144;
    /// in blocks of so many;
    std::uint64_t share_block_bytes = 32768;
    /// from so many on it may instead be copied through a few blocks, where that takes less time
    /// (faster_way.hpp).
    std::uint64_t stream_bytes = 65536;
    /// Ranks of the job on this node, of which those of an endpoint may be a few; 0: not known.
    std::int32_t ranks_of_job = 0;
    /// Whether remote copies are used at all; tests switch them off.
    bool remote_copies = true;
};

}  // namespace tasuki::memory

// Copies of blocks that go from core to core.
#pragma once

#include <cstddef>
#include <vector>

namespace tasuki::memory {

/// Copies as std::memcpy does, into memory that another core is to read.
void fill_block(std::byte* to, const std::byte* from, std::size_t bytes);

/// How what another core has filled is read: by string instructions where those are fast, or by
/// loads and stores as wide as pay.
enum class ReadBy : bool { strings, wide };

/// Copies as std::memcpy does, out of memory that another core has filled.
void read_block(std::byte* to, const std::byte* from, std::size_t bytes, ReadBy way);

/// How to read a part of a message of so many bytes.
ReadBy usual_way_to_read(std::size_t message_bytes);
/// Whether the other way may be the faster one, so that it is worth measuring: where string
/// instructions are fast.
bool may_read_faster(std::size_t message_bytes);

using Copy = void (*)(std::byte* to, const std::byte* from, std::size_t bytes);
/// The ways to copy that this processor has. For tests.
std::vector<Copy> copies_here();

}  // namespace tasuki::memory

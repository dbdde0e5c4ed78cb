// Copies of blocks that go from core to core.
#pragma once

#include <cstddef>
#include <vector>

namespace tasuki::memory {

/// Copies as std::memcpy does, into memory that another core is to read.
void fill_block(std::byte* to, const std::byte* from, std::size_t bytes);

/// Copies as std::memcpy does, out of memory that another core has filled: a part of a message of
/// `message_bytes`.
void read_block(std::byte* to, const std::byte* from, std::size_t bytes, std::size_t message_bytes);

using Copy = void (*)(std::byte* to, const std::byte* from, std::size_t bytes);
/// The ways to copy that this processor has. For tests.
std::vector<Copy> copies_here();

}  // namespace tasuki::memory

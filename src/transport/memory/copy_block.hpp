#pragma once

#include <cstddef>
#include <vector>

namespace tasuki::memory {

/// Copies as std::memcpy does, by the processor's widest loads and stores.
///
/// What lies in another core's cache comes faster so than by the string instructions that the C
/// library takes for blocks of this size: many lines are under way at the same time.
void copy_block(std::byte* to, const std::byte* from, std::size_t bytes);

using Copy = void (*)(std::byte* to, const std::byte* from, std::size_t bytes);
/// The ways to copy that this processor has, the widest last. For tests.
std::vector<Copy> copies_here();

}  // namespace tasuki::memory

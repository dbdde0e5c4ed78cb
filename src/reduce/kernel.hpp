// Combining the elements of two buffers: what a reduce step of a schedule does.
#pragma once

#include <cstddef>

#include "reduce/element.hpp"
#include "reduce/instruction_set.hpp"
#include "reduce/operation.hpp"

namespace tasuki::reduction {

/// Reads `count` parts of elements from both buffers, writes those of `to`.
using KernelFunction = void(const std::byte* from, std::byte* to, std::size_t count);

/// A predefined operation on a type of elements. Buffers may begin at any address; they are the
/// same one or do not overlap.
///
/// What is computed does not depend on the address, the count or the instruction set, bit by bit;
/// docs/design/reductions.md says what NaN, signed zeros and overflow give.
struct Kernel {
    KernelFunction* from_left = nullptr;   ///< to[i] = from[i] op to[i], as MPI's Reduce_local
    KernelFunction* from_right = nullptr;  ///< to[i] = to[i] op from[i]
    std::size_t element_bytes = 0;
    std::size_t parts = 1;  ///< an element is so many numbers that are combined one by one
};

/// The kernel for this processor; nullptr where MPI defines no such operation on such elements.
/// Takes a few ns; what it points to stays.
const Kernel* find_kernel(Operation operation, Element element);

/// The same for a given instruction set, which the processor must have: for tests.
const Kernel* find_kernel(Operation operation, Element element, InstructionSet instruction_set);

/// inout[i] = in[i] op inout[i] for `count` elements: `in` is the left operand.
inline void reduce_from_left(const Kernel& kernel, const std::byte* in, std::byte* inout,
                             std::size_t count) {
    kernel.from_left(in, inout, count * kernel.parts);
}

/// inout[i] = inout[i] op in[i] for `count` elements: `in` is the right operand.
inline void reduce_from_right(const Kernel& kernel, const std::byte* in, std::byte* inout,
                              std::size_t count) {
    kernel.from_right(in, inout, count * kernel.parts);
}

}  // namespace tasuki::reduction

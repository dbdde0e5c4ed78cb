// The kernels of src/reduce/ as the step machine calls them.
#pragma once

#include "execute/copy_chunks.hpp"
#include "reduce/element.hpp"
#include "reduce/operation.hpp"

namespace tasuki {

/// `operation` on buffers of `element`; nullptr where MPI defines no such operation on such
/// elements. Costs a look-up; what it points to stays as long as the process.
const Combine* find_combine(reduction::Operation operation, reduction::Element element);

/// The exact sum of two elements, rounded once, as exact_block_sum() has it: what a reduction over
/// two ranks is made of. nullptr where `element` has no exact sum. What it points to stays as long
/// as the process.
const Combine* find_exact_pair_combine(reduction::Element element);

}  // namespace tasuki

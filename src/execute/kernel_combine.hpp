// The kernels of src/reduce/ as the step machine calls them.
#pragma once

#include "execute/copy_chunks.hpp"
#include "reduce/element.hpp"
#include "reduce/operation.hpp"

namespace tasuki {

/// `operation` on buffers of `element`; nullptr where MPI defines no such operation on such
/// elements. Costs a look-up; what it points to stays as long as the process.
const Combine* find_combine(reduction::Operation operation, reduction::Element element);

}  // namespace tasuki

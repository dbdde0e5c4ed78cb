// The calls that reduce to blocks: MPI_Reduce_scatter and MPI_Reduce_scatter_block.
#pragma once

#include <cstdint>

namespace tasuki::interpose {

/// Whether the buffers of a rank with a block of `own_count` elements make sense; if not, that is
/// the host's to say.
bool has_valid_buffers(const void* send, const void* receive, std::int64_t own_count);

}  // namespace tasuki::interpose

#include "interpose/vector_cut.hpp"

#include <vector>

#include "execute/chunk_sizes.hpp"

namespace tasuki::interpose {

VectorCut::VectorCut(std::int64_t units, std::int64_t unit_bytes, std::int32_t chunks,
                     const Program& program)
    : is_even_(chunks <= 1 || units % chunks == 0),
      unit_bytes_(is_even_ && chunks > 0 ? units / chunks * unit_bytes : unit_bytes) {
    if (is_even_) return;
    const std::vector<std::int64_t> sizes = cut_evenly(units, chunks);
    chunks_ = UnevenChunks::packed(sizes);
    scratch_ = scratch_of(program, sizes);
}

Buffer VectorCut::buffer(void* address) const {
    Buffer buffer = Buffer::contiguous(address, unit_bytes_);
    if (!is_even_) buffer.uneven = &chunks_;
    return buffer;
}

Work VectorCut::work(const void* input, void* output, const Combine* combine) const {
    return {.input = buffer(const_cast<void*>(input)),
            .output = buffer(output),
            .unit_bytes = unit_bytes_,
            .scratch = is_even_ ? nullptr : &scratch_,
            .combine = combine};
}

}  // namespace tasuki::interpose

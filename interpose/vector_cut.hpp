#pragma once

#include <cstdint>

#include "interpose/run_choice.hpp"
#include "schedule/program.hpp"
#include "transport/buffer.hpp"

namespace tasuki::interpose {

/// A vector of contiguous bytes, cut into the chunks that a program asks for: equal up to one unit,
/// on all ranks alike.
///
/// Memory: 16 bytes for each chunk of the vector and the scratch where the units do not divide.
class VectorCut {
  public:
    /// `chunks`: Contract::cuts() of the program.
    VectorCut(std::int64_t units, std::int64_t unit_bytes, std::int32_t chunks,
              const Program& program);

    /// Addresses of the vector; nullptr where the program has no input, or no output. Holds as long
    /// as this does.
    Work work(const void* input, void* output, const Combine* combine = nullptr) const;

  private:
    Buffer buffer(void* address) const;

    bool is_even_;
    std::int64_t unit_bytes_;
    UnevenChunks chunks_;
    UnevenChunks scratch_;
};

}  // namespace tasuki::interpose

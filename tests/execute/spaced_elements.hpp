// An element type with gaps, as a derived datatype has them.
#pragma once

#include <algorithm>

#include "transport/buffer.hpp"

namespace tasuki {

/// `size` bytes every `distance` bytes.
class SpacedElements : public ElementType {
  public:
    SpacedElements(std::int64_t size, std::int64_t distance) : size_(size), distance_(distance) {}

    void pack(const std::byte* base, std::int64_t elements, std::byte* packed) const override {
        for (std::int64_t i = 0; i < elements; ++i) {
            std::copy_n(base + i * distance_, size_, packed + i * size_);
        }
    }
    void unpack(const std::byte* packed, std::byte* base, std::int64_t elements) const override {
        for (std::int64_t i = 0; i < elements; ++i) {
            std::copy_n(packed + i * size_, size_, base + i * distance_);
        }
    }

  private:
    std::int64_t size_;
    std::int64_t distance_;
};

}  // namespace tasuki

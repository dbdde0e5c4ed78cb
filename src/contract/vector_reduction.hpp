// What the reductions of whole vectors have in common.
#pragma once

#include "contract/contract.hpp"

namespace tasuki {

/// The vector is cut into as many chunks as the algorithm likes, by all ranks alike; output chunk c
/// is made of chunks c of the input, and is as large as they are.
class VectorReduction : public Contract {
  public:
    std::int32_t cuts(const Program& program, std::int32_t, const Instance&) const override {
        return program.input_chunks;
    }

    std::int64_t size_of(Space, std::int32_t, std::int32_t chunk, const Instance&) const override {
        return chunk;
    }

    bool reduces() const override { return true; }
};

}  // namespace tasuki

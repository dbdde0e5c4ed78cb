// A sum that grows by what others send.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "algorithms/partial.hpp"

namespace tasuki {

/// The sum moves to and fro between two places, because what has arrived is reduced where it is,
/// while the sum before may still be on its way to somebody.
class GrowingSum {
  public:
    /// Begins with `own`, which is never written, or with nothing. The last of `receives` ends in
    /// `into`; without `into` all are in scratch. `shape` are chunks of the sizes that count.
    GrowingSum(ProgramBuilder& program, std::optional<Partial> own, std::optional<Region> into,
               const Region& shape, std::int32_t receives);

    const std::optional<Partial>& sum() const { return sum_; }

    void send(std::int32_t rank);
    /// Receives from `rank` what is the operand of this side.
    void receive(std::int32_t rank, Operand side) {
        arrive(rank);
        absorb(side);
    }

    /// receive() in two parts, between which others may read what has arrived.
    const Partial& arrive(std::int32_t rank);
    void read_by(StepId reader) {
        arrived_.after.push_back(reader);
        rooms_[receives_ % 2].readers.push_back(reader);
    }
    void absorb(Operand side);

  private:
    struct Room {
        std::optional<Region> place = {};
        std::vector<StepId> readers = {};
    };

    ProgramBuilder& program_;
    std::optional<Partial> sum_;
    Region shape_;
    std::int32_t receives_;
    std::array<Room, 2> rooms_;
    std::int32_t room_ = -1;  // where the sum is; -1: still the own part
    Partial arrived_{nothing()};
};

}  // namespace tasuki

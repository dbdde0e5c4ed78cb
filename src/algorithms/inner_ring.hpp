// Messages between the ranks of two nodes.
#pragma once

#include <algorithm>
#include <limits>

#include "algorithms/stages.hpp"
#include "schedule/placement.hpp"

namespace tasuki {

/// The messages between one rank and all ranks of another node, in the order of the inner ring. Two
/// nodes of unequal size turn a ring as long as the larger one; places that have no rank are
/// skipped without being visited. Node -1 has no ranks.
class InnerRing {
  public:
    static constexpr std::int32_t over = std::numeric_limits<std::int32_t>::max();

    /// `direction` is 1 to send (stage k goes to place local + k), -1 to receive.
    InnerRing(const Placement& placement, std::int32_t rank, std::int32_t node,
              std::int32_t direction)
        : placement_(placement),
          node_(node),
          local_(placement.local_of(rank)),
          direction_(direction),
          there_(node < 0 ? 0 : placement.ranks_on(node)),
          length_(std::max(there_, placement.ranks_on(placement.node_of(rank)))) {
        place_ = local_ < there_ ? local_ : direction > 0 ? 0 : there_ - 1;
    }

    /// The stage of the next message; `over` after the last.
    std::int32_t stage() const {
        if (done_ == there_) return over;
        return (direction_ * (place_ - local_) + length_) % length_;
    }
    /// The peer of the next message; goes on to the one after it.
    std::int32_t take() {
        const std::int32_t peer = placement_.rank_at(node_, place_);
        place_ = (place_ + direction_ + there_) % there_;
        ++done_;
        return peer;
    }

  private:
    const Placement& placement_;
    std::int32_t node_;
    std::int32_t local_;
    std::int32_t direction_;
    std::int32_t there_;
    std::int32_t length_;
    std::int32_t place_;
    std::int32_t done_ = 0;
};

/// Appends the exchange of `rank` with all ranks of node `to`, to which it sends, and of node
/// `from`, from which it receives; -1 is no node. With its own node on both sides it leaves itself
/// out.
inline void exchange_with_nodes(Stages& stages, const Placement& placement, std::int32_t rank,
                                std::int32_t to, std::int32_t from) {
    InnerRing sends(placement, rank, to, 1);
    InnerRing recvs(placement, rank, from, -1);
    if (to == placement.node_of(rank)) {  // stage 0 of one's own node is the rank itself
        sends.take();
        recvs.take();
    }
    for (;;) {
        const std::int32_t stage = std::min(sends.stage(), recvs.stage());
        if (stage == InnerRing::over) return;
        if (recvs.stage() == stage) {
            const std::int32_t source = recvs.take();
            stages.recv(source, output(source));
        }
        if (sends.stage() == stage) {
            const std::int32_t destination = sends.take();
            stages.send(destination, input(destination));
        }
        stages.next();
    }
}

}  // namespace tasuki

// A message that both ends copy at the same time, each other blocks of it.
#pragma once

#include <cstdint>
#include <optional>

#include "transport/memory/sync.hpp"

namespace tasuki::memory {

/// What of a message has been claimed to be copied: blocks from the front by one rank, blocks from
/// the back by another. Every block is claimed once. Whoever looks later finds less; who does not
/// look keeps nobody waiting.
template <typename Sync>
class ShareOn {
  public:
    using Word = typename Sync::template Word<std::uint64_t>;

    /// `claimed` is shared; `blocks` are those of the message.
    ShareOn(Word& claimed, std::uint64_t blocks) : claimed_(&claimed), blocks_(blocks) {}

    /// To be called before the other rank hears of it.
    void begin() { claimed_->store(0, Order::relaxed); }

    /// The next block from the front, if one is left.
    std::optional<std::uint64_t> claim_first() {
        const auto found = claim(1);
        return found ? std::optional(*found & low) : std::nullopt;
    }
    /// The next block from the back, if one is left.
    std::optional<std::uint64_t> claim_last() {
        const auto found = claim(low + 1);
        return found ? std::optional(blocks_ - 1 - (*found >> 32)) : std::nullopt;
    }

    /// Whether the other rank has blocks from the back; certain when no block is left.
    bool has_last() const { return claimed_->load(Order::relaxed) >> 32 != 0; }

  private:
    static constexpr std::uint64_t low = 0xffffffff;

    /// Adds `one` unless all blocks are claimed; what there was before.
    std::optional<std::uint64_t> claim(std::uint64_t one) {
        for (;;) {
            const std::uint64_t found = claimed_->load(Order::relaxed);
            if ((found & low) + (found >> 32) >= blocks_) return std::nullopt;
            if (claimed_->replace(found, found + one)) return found;
        }
    }

    Word* claimed_;  // from the front, and from the back << 32
    std::uint64_t blocks_;
};

}  // namespace tasuki::memory

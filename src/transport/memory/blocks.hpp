// Blocks of shared memory that a sender fills and a receiver gives back in any order.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "transport/memory/sync.hpp"

namespace tasuki::memory {

/// Most blocks between a pair of ranks: their counters fill one cache line.
inline constexpr std::uint32_t most_blocks = 16;

/// How often the receiver has given back each block; written by it alone.
template <typename Sync>
using ReturnedBlocks = std::array<typename Sync::template Word<std::uint32_t>, most_blocks>;

/// The sender's account of the blocks of a pair.
template <typename Sync>
class BlockLender {
  public:
    BlockLender(const ReturnedBlocks<Sync>& returned, std::uint32_t blocks)
        : returned_(&returned), all_((std::uint32_t{1} << blocks) - 1), free_(all_) {}

    /// Whether so many blocks are free, counting anew only if they seem not to be.
    bool has(std::uint32_t count) {
        if (free_count() >= count) return true;
        for (std::uint32_t left = all_ & ~free_; left != 0; left &= left - 1) {
            const int block = std::countr_zero(left);
            // Acquire: the receiver's loads from the block come before our stores into it.
            if ((*returned_)[block].load(Order::acquire) == lent_[block]) {
                free_ |= std::uint32_t{1} << block;
            }
        }
        return free_count() >= count;
    }

    /// Takes a free block, of which there is one: the first, so that a pair that sends little
    /// touches little memory.
    std::uint32_t take() {
        const int block = std::countr_zero(free_);
        free_ &= free_ - 1;
        ++lent_[block];
        return static_cast<std::uint32_t>(block);
    }

  private:
    std::uint32_t free_count() const { return static_cast<std::uint32_t>(std::popcount(free_)); }

    const ReturnedBlocks<Sync>* returned_;
    std::uint32_t all_;
    std::uint32_t free_;
    std::array<std::uint32_t, most_blocks> lent_{};
};

/// Gives a block back. To be called by the receiver, after it has read it.
template <typename Sync>
void give_back(ReturnedBlocks<Sync>& returned, std::uint32_t block) {
    auto& count = returned[block];
    count.store(count.load(Order::relaxed) + 1, Order::release);
}

}  // namespace tasuki::memory

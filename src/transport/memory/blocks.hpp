// Blocks of shared memory that carry bytes between a pair of ranks, and change hands with them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include "transport/memory/sync.hpp"

namespace tasuki::memory {

/// Most blocks that lie in the segment of one rank of a pair; both together have a bit each.
inline constexpr std::uint32_t most_blocks = 32;

/// Blocks that a rank has handed back: its bit of a block changes each time. Written by it alone.
template <typename Sync>
using HandedBack = typename Sync::template Word<std::uint64_t>;

/// One rank's account of the blocks that it shares with another. A block belongs to one of the two,
/// which may fill it; with the message it goes to the other, which reads it and *keeps* it for a
/// message of its own. So a rank fills what it has just read, which its cache owns: such a block is
/// *warm*. To fill a cold one, that the other has read, takes several times as long.
///
/// Nobody keeps more than three quarters of all, or there would be none to send by for one that
/// only sends: others are *handed back*. Two that answer each other come to hand nothing back.
template <typename Sync>
class BlocksOf {
  public:
    /// The rank has blocks `first` to `first + share - 1`, the other rank the other `share`.
    /// `own` and `others` start as zeros.
    BlocksOf(HandedBack<Sync>& own, const HandedBack<Sync>& others, std::uint32_t first,
             std::uint32_t share)
        : handed_(&own), others_(&others), share_(share), count_(share), unused_(share) {
        for (std::uint32_t i = 0; i < share; ++i) {
            own_[i] = static_cast<std::uint8_t>(first + share - 1 - i);
        }
    }

    /// Whether so many blocks are ours, looking at what was handed back only if they seem not to
    /// be.
    bool has(std::uint32_t count) {
        if (count_ < count) look();
        return count_ >= count;
    }
    /// Whether the next blocks to be taken are warm.
    bool has_warm(std::uint32_t count) const { return warm_ >= count; }
    /// Whether some of them have never been used, so that the system has yet to give their memory.
    bool has_unused(std::uint32_t count) {
        if (unused_ > 0 && count_ < unused_ + count) look();
        return unused_ > 0 && count_ < unused_ + count;
    }

    /// Takes one of ours, of which there is one, to be given to the other: that which was read
    /// last, or else one that was used before, so that a pair that sends little, or always takes
    /// what it is sent, touches little memory. To get a page of it from the system takes longer
    /// than to fill that ten times.
    std::uint32_t take() {
        if (count_ == unused_) look();
        if (warm_ > 0) {
            --warm_;
        } else if (count_ == unused_) {
            --unused_;
        }
        return own_[--count_];
    }

    /// A block of the other's that has been read: ours now, unless we have enough. Whether it was
    /// handed back.
    bool keep(std::uint32_t block) {
        // What the other has handed back is ours, too, or we could come to keep all there are.
        look();
        if (count_ >= (lacking_ > 0 ? share_ : share_ + share_ / 2)) {
            hand_back(block);
            return true;
        }
        own_[count_++] = static_cast<std::uint8_t>(block);
        ++warm_;
        return false;
    }

    /// The same, but it goes back in any case: the other may have no more than this.
    void hand_back(std::uint32_t block) {
        handed_now_ ^= std::uint64_t{1} << block;
        handed_->store(handed_now_, Order::release);  // after the loads from the block
    }

    /// Whether the other lacked blocks for its last large message: then it gets back what we have
    /// beyond our share, at once and with the next messages. Whether something was handed back.
    bool note_lack(bool other_lacks) {
        if (!other_lacks) {
            if (lacking_ > 0) --lacking_;
            return false;
        }
        lacking_ = messages_to_balance;
        look();
        if (count_ <= share_) return false;
        const std::uint32_t surplus = count_ - share_;
        // The other takes what it gets back for used, so that it has memory: cold ones, then those
        // that were read longest ago.
        const std::uint32_t used = std::min(surplus, count_ - unused_);
        hand_back_from(unused_, used);
        hand_back_from(0, surplus - used);
        unused_ -= surplus - used;
        warm_ = std::min(warm_, count_ - unused_);
        return true;
    }

  private:
    /// Two that send at the same time come to have equal shares within as many.
    static constexpr std::uint32_t messages_to_balance = 8;

    /// Takes what the other has handed back: cold, so it is taken after what is warm.
    void look() {
        // Acquire: the other's loads from the blocks come before our stores into them.
        const std::uint64_t now = others_->load(Order::acquire);
        const std::uint64_t fresh = std::exchange(seen_, now) ^ now;
        if (fresh == 0) return;
        const auto before = own_.begin() + count_;
        auto end = before;
        for (std::uint64_t left = fresh; left != 0; left &= left - 1) {
            *end++ = static_cast<std::uint8_t>(std::countr_zero(left));
        }
        count_ += static_cast<std::uint32_t>(std::popcount(fresh));
        std::rotate(own_.begin() + unused_, before, end);
    }

    /// So many, from that place on.
    void hand_back_from(std::uint32_t first, std::uint32_t count) {
        if (count == 0) return;
        const auto place = own_.begin() + first;
        std::for_each(place, place + count, [&](std::uint8_t block) { hand_back(block); });
        std::copy(place + count, own_.begin() + count_, place);
        count_ -= count;
    }

    HandedBack<Sync>* handed_;
    const HandedBack<Sync>* others_;
    std::uint32_t share_;
    std::uint32_t lacking_ = 0;
    std::uint32_t count_;
    std::uint32_t warm_ = 0;
    std::uint32_t unused_;
    std::uint64_t handed_now_ = 0;
    std::uint64_t seen_ = 0;
    std::array<std::uint8_t, 2 * most_blocks>
        own_{};  // count_: unused, cold, warm; the last is first
};

}  // namespace tasuki::memory

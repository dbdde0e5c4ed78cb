// Whether messages should fill cold blocks, or go straight, by what both took of late.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace tasuki::memory {

/// Seconds a byte of messages of late. One whose rank lost its core counts as two.
class Pace {
  public:
    void note(std::uint64_t bytes, double seconds) {
        const double now = seconds / static_cast<double>(bytes);
        if (is_known()) {
            seconds_ = (seconds_ + std::min(now, 2 * seconds_)) / 2;
        } else {
            seconds_ = first_notes_ == 0 ? now : std::min(now, seconds_);
            ++first_notes_;
        }
    }
    bool is_known() const { return first_notes_ == enough_notes; }
    double seconds() const { return seconds_; }

    static constexpr std::uint32_t enough_notes = 3;

  private:
    double seconds_ = 0;
    std::uint32_t first_notes_ = 0;
};

/// For messages that are not answered by as large ones, so that their blocks do not come back warm.
/// To fill blocks that the other has read takes less time than a remote copy where the two cores
/// have a cache in common, and more where they have none; and ranks move.
class ColdBlocks {
  public:
    /// Whether the next message is to fill some; `a_round` messages fill all that there are, if
    /// none is taken meanwhile. Now and then the other way is tried, for a round: what was not used
    /// of late is in no cache.
    bool are_better(std::uint32_t a_round) {
        a_round_ = a_round;
        if (filled_.is_known() && straight_.is_known()) {
            if (trial_left_ == 0) begin_trial_if_due();
            if (trial_left_ == 0) return choose(is_best());
            --trial_left_;
            return choose(is_trial_of_filling_);
        }
        return choose(!filled_.is_known());
    }
    /// Whether note_filled() wants to know of the message that was chosen for.
    bool want_time() const { return a_round_ > 0 && alike_ >= a_round_; }
    /// A message that has filled cold blocks.
    void note_filled(std::uint64_t bytes, double seconds) { filled_.note(bytes, seconds); }
    /// A message that went by remote copies.
    void note_straight(std::uint64_t bytes, double seconds) {
        if (want_time()) straight_.note(bytes, seconds);
    }

    /// So many rounds, times what the slower way takes over the faster: about 1 % of the time.
    static constexpr std::uint32_t rounds_to_trial = 128;

  private:
    bool is_best() const { return filled_.seconds() <= straight_.seconds(); }
    void begin_trial_if_due() {
        const double ratio = filled_.seconds() / straight_.seconds();
        const double times = std::max(ratio, 1 / ratio);
        if (++messages_ < rounds_to_trial * a_round_ * times) return;
        messages_ = 0;
        trial_left_ = a_round_ + Pace::enough_notes;
        is_trial_of_filling_ = !is_best();
    }
    bool choose(bool fills) {
        alike_ = fills == fills_ ? alike_ + 1 : 0;
        return fills_ = fills;
    }

    Pace filled_;
    Pace straight_;
    std::uint32_t a_round_ = 0;
    std::uint32_t messages_ = 0;
    std::uint32_t trial_left_ = 0;
    std::uint32_t alike_ = 0;  // messages of late that went the same way as the one before
    bool fills_ = false;
    bool is_trial_of_filling_ = false;
};

/// One for each power of two: a few long messages leave the caches before their blocks come again,
/// many short ones do not. 56 bytes each, for each peer.
class ColdBlocksOfSizes {
  public:
    ColdBlocks& operator[](std::uint64_t bytes) {
        constexpr std::size_t shortest = 8192;
        const auto power = static_cast<std::size_t>(std::bit_width(bytes / shortest));
        return sizes_[std::min(power, sizes_.size() - 1)];
    }

  private:
    std::array<ColdBlocks, 11> sizes_;  // below 8 KiB, and to 4 MiB and above
};

}  // namespace tasuki::memory

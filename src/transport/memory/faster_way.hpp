// Of two ways to do something with messages, the one that took less of late.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

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

/// Whether messages go through blocks, or straight by a remote copy.
enum class Way : bool { straight, by_blocks };

/// Of two ways one is the better between cores that have a cache in common, the other between such
/// as have none, or on another processor; and ranks move. `tried_first` is of an enumeration of
/// two.
template <auto tried_first>
class FasterWay {
  public:
    using Choice = decltype(tried_first);
    static_assert(std::is_same_v<std::underlying_type_t<Choice>, bool>);

    /// Which way the next message is to go. Now and then the other one is tried, for a round of so
    /// many and those that are timed: what was not used of late is in no cache.
    Choice next(std::uint32_t a_round) {
        a_round_ = a_round;
        if (paces_[0].is_known() && paces_[1].is_known()) {
            if (trial_left_ == 0) begin_trial_if_due();
            if (trial_left_ == 0) return choose(best());
            --trial_left_;
            return choose(on_trial_);
        }
        return choose(pace_of(tried_first).is_known() ? other_than(tried_first) : tried_first);
    }
    /// Whether note() wants to know of the message that was chosen for.
    bool wants_time() const { return a_round_ > 0 && alike_ >= a_round_; }
    /// The same where to know of each would take time itself: of those on trial, and of one of
    /// many others.
    bool wants_time_of_few() const {
        constexpr std::uint32_t many = 17;  // not that of the segments in a call
        return wants_time() && messages_ % many == 0;
    }
    /// What a message took.
    void note(Choice way, std::uint64_t bytes, double seconds) {
        if (wants_time()) pace_of(way).note(bytes, seconds);
    }

    /// So many rounds, times what the slower way takes over the faster: about 1 % of the time.
    static constexpr std::uint32_t rounds_to_trial = 128;

  private:
    static Choice other_than(Choice way) { return Choice(!static_cast<bool>(way)); }
    Pace& pace_of(Choice way) { return paces_[static_cast<std::size_t>(way)]; }
    Choice best() const { return Choice(paces_[1].seconds() <= paces_[0].seconds()); }
    void begin_trial_if_due() {
        const double ratio = paces_[1].seconds() / paces_[0].seconds();
        const double times = std::max(ratio, 1 / ratio);
        if (++messages_ < rounds_to_trial * a_round_ * times) return;
        messages_ = 0;
        trial_left_ = a_round_ + Pace::enough_notes;
        on_trial_ = other_than(best());
    }
    Choice choose(Choice way) {
        alike_ = way == chosen_ ? alike_ + 1 : 0;
        return chosen_ = way;
    }

    std::array<Pace, 2> paces_;
    std::uint32_t a_round_ = 0;
    std::uint32_t messages_ = 0;
    std::uint32_t trial_left_ = 0;
    std::uint32_t alike_ = 0;  // messages of late that went the same way as the one before
    Choice chosen_{};
    Choice on_trial_{};
};

/// One for each power of two: a few long messages leave the caches before their blocks come again,
/// many short ones do not. Memory: 616 bytes, and each peer has three.
template <auto tried_first>
class FasterWayOfSizes {
  public:
    FasterWay<tried_first>& operator[](std::uint64_t bytes) {
        constexpr std::size_t shortest = 8192;
        const auto power = static_cast<std::size_t>(std::bit_width(bytes / shortest));
        return sizes_[std::min(power, sizes_.size() - 1)];
    }

  private:
    std::array<FasterWay<tried_first>, 11> sizes_;  // below 8 KiB, and to 4 MiB and above
};

}  // namespace tasuki::memory

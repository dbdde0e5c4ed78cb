// Which candidate runs, and which calls are timed, from one agreement to the next.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace tasuki {

/// What one call of the collective is to do.
struct CallPlan {
    std::uint32_t candidate = 0;  ///< 0 is the host's own algorithm
    bool timed = false;           ///< give the seconds of this call to Selector::sample()
    bool agree = false;           ///< after this call, reduce Selector::values() over all ranks
};

/// Calls of one candidate in a row. Of each `stride` of them, after those that are dropped, one is
/// timed, at a place that changes: programs call in patterns, as with one root and then another,
/// and every second call would be the same one of a pattern.
struct Slot {
    std::uint32_t candidate = 0;
    std::uint32_t calls = 0;
    std::uint32_t drop = 0;
    std::uint32_t stride = 0;             ///< 0: none is timed
    std::uint32_t calls_of_a_sample = 1;  ///< timed ones in a row; their mean is the sample

    std::uint32_t timed_calls() const {
        return stride == 0 || calls <= drop ? 0 : (calls - drop - 1) / stride + 1;
    }
    std::uint32_t samples() const { return timed_calls() / calls_of_a_sample; }
};

/// Goes through the slots; the last call of the last one is the agreement. Calls that are nothing
/// but the current candidate cost one branch, timed ones in a row two.
class CallSequence {
  public:
    void start(std::vector<Slot> slots) {
        for (const Slot& slot : slots_) strides_ += slot.stride > 1 ? slot.timed_calls() : 0;
        planned_ = calls();
        slots_ = std::move(slots);
        std::erase_if(slots_, [](const Slot& slot) { return slot.calls == 0; });
        slot_ = done_ = quiet_ = timed_ = 0;
    }

    CallPlan next() {
        if (quiet_ > 0) [[likely]] {
            pass();
            return {candidate_, false, false};
        }
        if (timed_ > 0) {
            pass_timed();
            return {candidate_, true, false};
        }
        return next_event();
    }

    /// Whether next() would give `candidate` and ask nothing.
    bool is_quiet(std::uint32_t candidate) const { return quiet_ > 0 && candidate_ == candidate; }
    /// Whether it would give it and ask for the time of the call, and nothing else. Of the first
    /// call of a slot it is not said.
    bool only_times(std::uint32_t candidate) const {
        return quiet_ == 0 && timed_ > 0 && candidate_ == candidate;
    }
    /// Goes on by a call that is_quiet(), or that it only_times().
    void pass() { --quiet_; }
    void pass_timed() {
        if (--timed_ == 0) look_ahead();
    }

    const std::vector<Slot>& slots() const { return slots_; }
    /// That have gone by, of these slots and all before them.
    std::uint64_t calls() const { return planned_ - quiet_ - timed_; }

  private:
    bool is_in_last_slot() const { return slot_ + 1 == slots_.size(); }

    /// The first call of a slot, or the agreement.
    CallPlan next_event() {
        if (done_ == slots_[slot_].calls) {
            ++slot_;
            done_ = 0;
        }
        const Slot& slot = slots_[slot_];
        const std::uint32_t call = done_++;
        ++planned_;
        const bool timed = slot.stride > 0 && call >= slot.drop &&
                           call == timed_of(slot, (call - slot.drop) / slot.stride);
        const bool agree = is_in_last_slot() && done_ == slot.calls;
        candidate_ = slot.candidate;
        if (!agree) look_ahead();
        return {candidate_, timed, agree};
    }
    /// Plans calls of the slot up to those that are timed next, and these.
    void look_ahead() {
        const Slot& slot = slots_[slot_];
        const std::uint32_t left = slot.calls - done_ - (is_in_last_slot() ? 1 : 0);
        const std::uint32_t until = until_timed(slot);
        quiet_ = std::min(until, left);
        timed_ = until >= left ? 0 : slot.stride == 1 ? left - until : 1;
        done_ += quiet_ + timed_;
        planned_ += quiet_ + timed_;
    }

    /// The call of a slot that is timed of its `number`-th stride, the last of which may be
    /// shorter. Multiples of the golden section lie evenly among the places of a stride, and of
    /// each pattern.
    std::uint32_t timed_of(const Slot& slot, std::uint32_t number) const {
        constexpr std::uint32_t golden_section = 0x9e3779b9;
        const std::uint32_t first = slot.drop + number * slot.stride;
        const std::uint64_t places = std::min(slot.stride, slot.calls - first);
        const std::uint32_t part = (strides_ + number) * golden_section;
        return first + static_cast<std::uint32_t>(part * places >> 32);
    }

    std::uint32_t until_timed(const Slot& slot) const {
        constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();
        if (slot.stride == 0) return never;
        const std::uint32_t past = std::max(done_, slot.drop) - slot.drop;
        for (std::uint32_t number = past / slot.stride; number < slot.timed_calls(); ++number) {
            const std::uint32_t timed = timed_of(slot, number);
            if (timed >= done_) return timed - done_;
        }
        return never;
    }

    std::vector<Slot> slots_;
    std::uint32_t slot_ = 0;
    std::uint32_t done_ = 0;   // calls of the slot that have been planned
    std::uint32_t quiet_ = 0;  // calls ahead that are neither timed nor an agreement
    std::uint32_t timed_ = 0;  // calls after these that are timed, and no agreement
    std::uint32_t candidate_ = 0;
    std::uint64_t planned_ = 0;  // calls, of these slots and all before them
    std::uint32_t strides_ = 0;  // longer than one call, before those of these slots
};

}  // namespace tasuki

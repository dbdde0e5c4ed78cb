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

/// Calls of one candidate in a row. Call i is timed if i >= drop and stride divides i - drop.
struct Slot {
    std::uint32_t candidate = 0;
    std::uint32_t calls = 0;
    std::uint32_t drop = 0;
    std::uint32_t stride = 0;  ///< 0: none is timed

    std::uint32_t timed_calls() const {
        return stride == 0 || calls <= drop ? 0 : (calls - drop - 1) / stride + 1;
    }
};

/// Goes through the slots; the last call of the last one is the agreement. Calls that are nothing
/// but the current candidate cost one branch.
class CallSequence {
  public:
    void start(std::vector<Slot> slots) {
        slots_ = std::move(slots);
        std::erase_if(slots_, [](const Slot& slot) { return slot.calls == 0; });
        slot_ = done_ = quiet_ = 0;
    }

    CallPlan next() {
        if (quiet_ > 0) [[likely]] {
            --quiet_;
            return {candidate_, false, false};
        }
        return next_event();
    }

    /// Goes on by a call if next() would give `candidate` and ask nothing.
    bool pass(std::uint32_t candidate) {
        if (quiet_ == 0 || candidate_ != candidate) return false;
        --quiet_;
        return true;
    }

    const std::vector<Slot>& slots() const { return slots_; }

  private:
    CallPlan next_event() {
        if (done_ == slots_[slot_].calls) {
            ++slot_;
            done_ = 0;
        }
        const Slot& slot = slots_[slot_];
        const bool last_slot = slot_ + 1 == slots_.size();
        candidate_ = slot.candidate;
        const bool timed =
            slot.stride > 0 && done_ >= slot.drop && (done_ - slot.drop) % slot.stride == 0;
        ++done_;
        const bool agree = last_slot && done_ == slot.calls;
        if (!agree) {
            quiet_ = std::min(until_timed(slot), slot.calls - done_ - (last_slot ? 1 : 0));
            done_ += quiet_;
        }
        return {candidate_, timed, agree};
    }

    std::uint32_t until_timed(const Slot& slot) const {
        if (slot.stride == 0) return std::numeric_limits<std::uint32_t>::max();
        if (done_ < slot.drop) return slot.drop - done_;
        const std::uint32_t past = (done_ - slot.drop) % slot.stride;
        return past == 0 ? 0 : slot.stride - past;
    }

    std::vector<Slot> slots_;
    std::uint32_t slot_ = 0;
    std::uint32_t done_ = 0;   // calls of the slot that have been planned or are quiet
    std::uint32_t quiet_ = 0;  // calls ahead that are neither timed nor an agreement
    std::uint32_t candidate_ = 0;
};

}  // namespace tasuki

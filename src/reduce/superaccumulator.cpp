#include "reduce/superaccumulator.hpp"

#include <algorithm>

namespace tasuki::reduction {

void Superaccumulator::carry() {
    if (first_ > last_) return;
    std::int64_t carried = 0;
    int word = first_;
    for (; word <= last_ || (carried != 0 && carried != -1); ++word) {
        const std::int64_t value = words_[word] + carried;
        words_[word] = value & 0xffffffff;
        carried = value >> word_bits;
    }
    // A negative value ends with one negative word; all others are digits.
    last_ = std::max(first_, word - 1);
    words_[last_] += carried * (std::int64_t{1} << word_bits);
    waiting_ = 1;
}

void Superaccumulator::merge(const Superaccumulator& other) {
    if (waiting_ + other.waiting_ >= most_waiting) {
        carry();
        if (other.waiting_ >= most_waiting / 2) {
            Superaccumulator carried = other;
            carried.carry();
            return merge(carried);
        }
    }
    touch(other.first_, other.last_);
    for (int word = other.first_; word <= other.last_; ++word) words_[word] += other.words_[word];
    waiting_ += other.waiting_;
}

Superaccumulator::Settled Superaccumulator::settled() const {
    Settled result;
    result.first = std::min(first_, last_);
    std::int64_t carried = 0;
    int word = first_;
    for (; word <= last_ || (carried != 0 && carried != -1); ++word) {
        const std::int64_t value = words_[word] + carried;
        result.digits[word] = static_cast<std::uint32_t>(value);
        carried = value >> word_bits;
    }
    if (carried == -1) {
        // The digits say value + 2^(bits of all words so far): complement them.
        result.is_negative = true;
        std::uint64_t one = 1;
        for (int i = first_; i < word; ++i) {
            const std::uint64_t digit = (~result.digits[i] & 0xffffffffU) + one;
            result.digits[i] = static_cast<std::uint32_t>(digit);
            one = digit >> word_bits;
        }
        if (one != 0) result.digits[word++] = 1;  // the value is minus a power of two
    }
    result.last = word - 1;
    while (result.last >= result.first && result.digits[result.last] == 0) --result.last;
    if (result.last < result.first) result.last = -1;
    return result;
}

}  // namespace tasuki::reduction

// The requests that a rank leaves at senders: write my message straight into my buffer.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "transport/memory/layout.hpp"

namespace tasuki::memory {

/// The requests that a rank has left: places that senders see, numbered for each use anew. A place
/// has generation << 2 | State.
template <typename Sync>
class RequestBookOn {
  public:
    enum State : std::uint64_t { free, open, claimed, done };
    using Places = std::array<typename Sync::template Word<std::uint64_t>, most_requests>;

    explicit RequestBookOn(Places& places) : places_(&places) {}

    /// The number of a new open request; negative if all places are taken.
    std::int64_t open_one() {
        if (free_ == 0) return -1;
        const int place = std::countr_zero(free_);
        free_ &= free_ - 1;
        const std::uint64_t use = (*places_)[place].load(Order::relaxed) >> 2;
        (*places_)[place].store(use << 2 | open, Order::release);
        return static_cast<std::int64_t>(use * most_requests + place);
    }

    /// Whether some have been left and not ended.
    bool has_any() const { return free_ != ~std::uint64_t{0}; }

    /// Takes an open request back; false if its sender has claimed it and is writing.
    bool withdraw(std::int64_t number) {
        const auto [place, use] = parts(number);
        if (!(*places_)[place].replace(use << 2 | open, (use + 1) << 2 | free)) return false;
        free_ |= std::uint64_t{1} << place;
        return true;
    }

    /// Whether its sender is writing.
    bool is_claimed(std::int64_t number) const {
        const auto [place, use] = parts(number);
        return (*places_)[place].load(Order::acquire) == (use << 2 | claimed);
    }

    /// The place of a request that was written is free again.
    void close(std::int64_t number) {
        const auto [place, use] = parts(number);
        (*places_)[place].store((use + 1) << 2 | free, Order::relaxed);
        free_ |= std::uint64_t{1} << place;
    }

    /// The sender's side: `places` are the receiver's. Claims it, unless it was withdrawn.
    static bool claim(Places& places, std::uint64_t number) {
        const auto [place, use] = parts(static_cast<std::int64_t>(number));
        return places[place].replace(use << 2 | open, use << 2 | claimed);
    }
    /// Ends what claim() began: it has been written, or not.
    static void release(Places& places, std::uint64_t number, bool is_written) {
        const auto [place, use] = parts(static_cast<std::int64_t>(number));
        places[place].store(use << 2 | (is_written ? done : open), Order::release);
    }

    static std::uint64_t place_of(std::uint64_t number) { return number % most_requests; }

  private:
    struct Parts {
        std::uint64_t place;
        std::uint64_t use;
    };
    static Parts parts(std::int64_t number) {
        const auto whole = static_cast<std::uint64_t>(number);
        return {whole % most_requests, whole / most_requests};
    }

    Places* places_;
    std::uint64_t free_ = ~std::uint64_t{0};
};

/// That of a rank, in its Front.
class RequestBook : public RequestBookOn<Hardware> {
  public:
    explicit RequestBook(Front& front) : RequestBookOn(front.requests) {}

    static bool claim(Front& receiver, std::uint64_t number) {
        return RequestBookOn::claim(receiver.requests, number);
    }
    static void release(Front& receiver, std::uint64_t number, bool is_written) {
        RequestBookOn::release(receiver.requests, number, is_written);
    }
};

}  // namespace tasuki::memory

// What a rank posts once for all others of its node to read: one writer, many readers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "transport/memory/sync.hpp"

namespace tasuki::memory {

/// The head of a slot of a board; the bytes that are posted lie behind it. Written by its owner
/// alone. All ranks count the same calls, from 0 on, and each posts at most once in a call, in the
/// slot call % slots of its board.
template <typename Sync>
class BoardSlotOn {
  public:
    /// Behind the last byte that was written there.
    void post(std::uint64_t call) { posted_.store(call + 1, Order::release); }
    /// Whether the post of `call` is there: then its bytes are, too, and stay until this rank says
    /// that it has finished the call.
    bool has(std::uint64_t call) const { return posted_.load(Order::acquire) == call + 1; }

  private:
    typename Sync::template Word<std::uint64_t> posted_;
    std::uint64_t unused_;  // so that the bytes are aligned for every type
};

/// Whether nobody needs any more what is in the slot that `call` uses, if all ranks have finished
/// so many calls.
constexpr bool slot_is_free(std::uint64_t call, std::uint64_t finished_calls, std::uint64_t slots) {
    return finished_calls + slots > call;
}

/// How many calls a rank has finished. Written by it alone.
template <typename Sync>
class FinishedCallsOn {
  public:
    /// Behind the last byte that was read in `call`.
    void finish(std::uint64_t call) { calls_.store(call + 1, Order::release); }
    std::uint64_t count() const { return calls_.load(Order::acquire); }

  private:
    typename Sync::template Word<std::uint64_t> calls_;
};

}  // namespace tasuki::memory

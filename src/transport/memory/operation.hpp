// A send or a receive that is under way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "transport/memory/faster_way.hpp"
#include "transport/memory/layout.hpp"

namespace tasuki::memory {

class OperationList;

/// As the peer of a receive: whoever sends. It costs the direct path, because no request is left.
inline constexpr std::int32_t any_peer = -1;

/// The caller owns it and leaves it where it is until it stands in `finished`. The first members
/// are the caller's to fill in, the others are the transport's.
struct Operation {
    std::int32_t peer = 0;  ///< rank on the node; of a receive also any_peer, then who has sent
    Tag tag = 0;            ///< of a receive that ignores bits: later that of the message
    Tag ignored = 0;        ///< of a receive: bits of the tag that may be any
    bool is_synchronous = false;        ///< of a send: not done before its receive takes it
    std::byte* address = nullptr;       ///< a send does not write there
    std::uint64_t bytes = 0;            ///< of the message; for a receive the most that fit
    OperationList* finished = nullptr;  ///< where it is put when it has been done
    std::uint64_t user = 0;             ///< the transport never looks at it

    std::uint64_t arrived = 0;  ///< of a receive: bytes of the message; above `bytes` it was cut

    std::uint64_t moved = 0;    ///< bytes that have been copied
    std::uint32_t block = 0;    ///< of a send: where its last piece lies
    std::uint64_t id = 0;       ///< of an offer
    std::int64_t request = -1;  ///< of a receive: what it left at the sender
    std::uint64_t order = 0;    ///< of a receive: how many were posted before it
    bool is_shared = false;     ///< of a send: the receiver copies part of it
    enum class Stream : std::uint8_t { no, asked, begun };
    Stream stream = Stream::no;  ///< of a send: whether its receiver has pulled
    std::optional<Way> way =
        std::nullopt;           ///< of a receive: how it gets what could be copied straight
    Operation* next = nullptr;  ///< in the list that it is in

    /// Whether a receive takes messages of such a tag.
    bool takes(Tag of_message) const { return ((tag ^ of_message) & ~ignored) == 0; }
    /// Whether some message could be taken by either of two receives of the same sender's.
    bool competes_with(const Operation& other) const {
        return ((tag ^ other.tag) & ~(ignored | other.ignored)) == 0;
    }

    /// To be called before it is used again.
    void reset() {
        arrived = moved = id = 0;
        request = -1;
        is_shared = false;
        stream = Stream::no;
        way.reset();
    }
};

/// A queue of operations, linked through themselves.
class OperationList {
  public:
    bool empty() const { return first_ == nullptr; }
    Operation* first() const { return first_; }

    void push(Operation& operation) {
        operation.next = nullptr;
        (first_ == nullptr ? first_ : last_->next) = &operation;
        last_ = &operation;
    }

    /// The first, taken out; nullptr if there is none.
    Operation* pop() {
        Operation* const operation = first_;
        if (operation != nullptr) first_ = operation->next;
        return operation;
    }

    /// The first of which `is_it(operation)` holds; nullptr if there is none.
    template <typename IsIt>
    Operation* find(IsIt&& is_it) const {
        Operation* one = first_;
        while (one != nullptr && !is_it(*one)) one = one->next;
        return one;
    }

    /// The first of which `is_it(operation)` holds, taken out; nullptr if there is none.
    template <typename IsIt>
    Operation* take(IsIt&& is_it) {
        Operation* before = nullptr;
        for (Operation* one = first_; one != nullptr; before = one, one = one->next) {
            if (!is_it(*one)) continue;
            (before == nullptr ? first_ : before->next) = one->next;
            if (one == last_) last_ = before;
            return one;
        }
        return nullptr;
    }

  private:
    Operation* first_ = nullptr;
    Operation* last_ = nullptr;
};

}  // namespace tasuki::memory

// The boards of one kind of all ranks of a node, as one of them uses them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "transport/memory/endpoint.hpp"

namespace tasuki::memory {

/// In a call each rank posts at most once, reads what it wants of what the others post, and says
/// that it has finished. All ranks of the endpoint make the same calls, one after the other. What a
/// rank has posted stays until all have finished the call, so a rank may be as many calls ahead of
/// the slowest as a board has slots.
///
/// A message that goes to many is so written once, and a rank that gets many looks at a line of
/// each sender instead of taking records out of queues.
///
/// Cost: one or two fences a call, and with each a look at a word of each rank, which is in the own
/// cache as long as nobody sleeps. Memory: 16 bytes a rank of the node.
class Boards {
  public:
    /// One of each kind for each endpoint, which must stay as long as this.
    Boards(Endpoint& endpoint, BoardKind kind);

    /// Most bytes of a post.
    std::int64_t room_bytes() const {
        return std::int64_t{shape_.slot_bytes} - std::int64_t{sizeof(BoardSlot)};
    }

    /// Where to write what is to be posted in this call: so many bytes. Waits until the last who
    /// reads what is there has finished. Throws PeerGone.
    std::byte* room(std::int64_t bytes) {
        if (bytes > mapped_bytes_) [[unlikely]]
            map(bytes);
        if (!slot_is_free(call_, finished_by_all_, shape_.slots)) find_room();
        return bytes_behind(slot(endpoint_.rank()));
    }
    /// Behind the last byte.
    void post() {
        slot(endpoint_.rank()).post(call_);
        is_announced_ = false;
    }
    /// What `rank` has posted in this call; nullptr as long as it has not.
    const std::byte* look(std::int32_t rank) const {
        const BoardSlot& there = slot(rank);
        return there.has(call_) ? bytes_behind(there) : nullptr;
    }
    /// As look(), when it is there; `bytes` tells what kind of wait it is. One that takes more than
    /// a moment wakes who sleeps and has not heard of this rank's post. Throws PeerGone.
    const std::byte* wait(std::int32_t rank, std::uint64_t bytes);
    /// Ends the call: nothing that was posted in it is read any more.
    void finish();

    /// What was done, for reports: so many messages of so many bytes went by a post, and so many
    /// bytes were copied to or from boards.
    void count(std::uint64_t messages, std::uint64_t bytes, std::uint64_t copied) {
        endpoint_.count_posted(messages, bytes, copied);
    }

  private:
    struct Place {
        Front* front;
        std::byte* slots;
    };

    FinishedCallsOn<Hardware>& finished(std::int32_t rank) const {
        return places_[rank].front->finished_calls[static_cast<std::size_t>(kind_)];
    }
    void announce();
    void find_room();
    void map(std::int64_t bytes);
    BoardSlot& slot(std::int32_t rank) const {
        return *reinterpret_cast<BoardSlot*>(places_[rank].slots + slot_offset_);
    }
    static std::byte* bytes_behind(const BoardSlot& slot) {
        return const_cast<std::byte*>(reinterpret_cast<const std::byte*>(&slot + 1));
    }

    Endpoint& endpoint_;
    BoardKind kind_;
    std::vector<Place> places_;  // [rank]
    BoardShape shape_{};
    std::int64_t mapped_bytes_ = -1;  // of each own slot
    std::uint64_t call_ = 0;
    bool is_announced_ = false;          // of this call, what was posted
    std::uint64_t finished_by_all_ = 0;  // calls, as last looked at
    std::size_t slot_offset_ = 0;        // of this call's
};

}  // namespace tasuki::memory

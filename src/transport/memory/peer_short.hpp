// Short messages of a Peer, where they are sent and received: inline, because what a call costs is
// as much as the message needs to cross.
#pragma once

#include "transport/memory/copy_small.hpp"
#include "transport/memory/peer.hpp"

namespace tasuki::memory {

/// Messages that are sent before anybody asked for them, between a pair. From then on a send waits
/// for its receive, so that a receiver that does not take its messages needs bounded memory.
inline constexpr std::uint64_t most_unsettled = 1024;

/// The sender is told of so many matched messages at once.
inline constexpr std::uint64_t settled_at_once = 256;

inline bool Peer::has_credit() {
    if (eager_sent_ - eager_settled_ < most_unsettled) [[likely]]
        return true;
    eager_settled_ = out().box.settled.load(Order::relaxed);
    return eager_sent_ - eager_settled_ < most_unsettled;
}

/// A message that fits into a record; whether there was room.
inline bool Peer::send_small(Tag tag, const std::byte* address, std::uint64_t bytes) {
    Record* const record = out().fifo.claim();
    if (record == nullptr || !has_credit()) [[unlikely]]
        return false;
    record->tag = tag;
    copy_small(record->small, address, bytes);
    publish(*record, {Kind::small, 0, static_cast<std::uint16_t>(bytes)});
    note_sent(tag);
    ++eager_sent_;
    self_.counters.count(Path::small, bytes);
    self_.counters.copied_bytes += bytes;
    return true;
}

inline bool Peer::send_now(Tag tag, const std::byte* address, std::uint64_t bytes) {
    return bytes <= small_bytes && outgoing_.empty() && send_small(tag, address, bytes);
}

inline void Peer::note_settled() {
    if (++settled_ - settled_told_ < settled_at_once) [[likely]]
        return;
    settled_told_ = settled_;
    in_.settled.store(settled_, Order::relaxed);
}

/// The copy comes first: it may be what the program answers with.
inline void Peer::take_short(std::byte* address, What what, const Record& record) {
    copy_small(address, record.small, what.bytes);
    ++unrequested_taken_;
    self_.counters.copied_bytes += what.bytes;
    note_settled();
}

inline std::optional<std::uint64_t> Peer::receive_now(Tag tag, std::byte* address,
                                                      std::uint64_t bytes, int looks) {
    const bool others_wait = !posted_.empty() || !self_.posted_to_any.empty();
    if (!is_talking_ || others_wait || !arrivals_.empty()) [[unlikely]]
        return std::nullopt;
    for (; looks > 0; --looks) {
        std::uint32_t word = 0;
        if (const Record* const record = fifo_.peek(word)) {
            const What what = What::of(word);
            if (what.kind != Kind::small || record->tag != tag || what.bytes > bytes) break;
            take_short(address, what, *record);
            if (out_) out_->fifo.acknowledge(record->taken);
            if (fifo_.drop()) note_room();
            return what.bytes;
        }
        relax();
    }
    return std::nullopt;
}

}  // namespace tasuki::memory

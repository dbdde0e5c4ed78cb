// Short messages of a Peer, where they are sent and received: inline, because what a call costs is
// as much as the message needs to cross.
#pragma once

#include <algorithm>

#include "transport/memory/copy_small.hpp"
#include "transport/memory/peer.hpp"

namespace tasuki::memory {

/// Messages that are sent before anybody asked for them, between a pair. From then on a send waits
/// for its receive, so that a receiver that does not take its messages needs bounded memory.
inline constexpr std::uint64_t most_unsettled = 1024;

/// The sender is told of so many matched messages at once.
inline constexpr std::uint64_t settled_at_once = 256;

/// One that is free now, for the record that is published next; annexes_of_box if there is none.
inline std::uint8_t Peer::Out::claim_annex() {
    const auto find = [this] {
        return static_cast<std::uint8_t>(
            std::ranges::find_if(annex_until,
                                 [&](std::uint64_t record) { return fifo.has_taken(record); }) -
            annex_until.begin());
    };
    std::uint8_t annex = find();
    if (annex == annexes_of_box) [[unlikely]] {
        fifo.look_at_taken();
        annex = find();
        if (annex == annexes_of_box) return annex;
    }
    annex_until[annex] = fifo.written() + 1;
    return annex;
}

/// The bytes of a small message, to its record and from there.
inline void write_small(Record& record, Annex& annex, const std::byte* from, std::size_t bytes) {
    if (bytes <= record_bytes) [[likely]]
        return copy_small(record.small, from, bytes);
    copy_small(annex.data(), from + record_bytes, bytes - record_bytes);
    copy_small(record.small, from, record_bytes);
}
inline void read_small(std::byte* to, const Record& record, const Annex& annex, std::size_t bytes) {
    if (bytes <= record_bytes) [[likely]]
        return copy_small(to, record.small, bytes);
    copy_small(to + record_bytes, annex.data(), bytes - record_bytes);
    copy_small(to, record.small, record_bytes);
}

inline bool Peer::has_credit() {
    if (eager_sent_ - eager_settled_ < most_unsettled) [[likely]]
        return true;
    eager_settled_ = out().box.settled.load(Order::relaxed);
    return eager_sent_ - eager_settled_ < most_unsettled;
}

/// A message that fits into a record, or a record and an annex; whether there was room.
inline bool Peer::send_small(Tag tag, const std::byte* address, std::uint64_t bytes) {
    Out& to = out();
    Record* const record = to.fifo.claim();
    if (record == nullptr || !has_credit()) [[unlikely]]
        return false;
    std::uint8_t annex = 0;
    if (bytes > record_bytes) {
        annex = to.claim_annex();
        if (annex == annexes_of_box) [[unlikely]]
            return false;
    }
    record->tag = tag;
    write_small(*record, to.box.annexes[annex], address, bytes);
    publish(*record, {Kind::small, annex, static_cast<std::uint16_t>(bytes)});
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

/// One has been read. Who only sends is told in time, or it would have to do with blocks; who is
/// answered learns it from the answers.
inline void Peer::note_annex() {
    if (++annexes_untold_ < annexes_of_box / 2) [[likely]]
        return;
    annexes_untold_ = 0;
    if (fifo_.tell()) note_room();
}

/// That of a small message, whose record has come.
inline const Annex& Peer::annex_of(What what) const {
    if (what.bytes > record_bytes) end_guesses();
    return in_.annexes[what.block];
}

/// The copy comes first: it may be what the program answers with.
inline void Peer::take_short(std::byte* address, What what, const Record& record) {
    read_small(address, record, annex_of(what), what.bytes);
    ++unrequested_taken_;
    self_.counters.copied_bytes += what.bytes;
    if (what.bytes > record_bytes) note_annex();
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

// The part of Peer that takes messages which come in blocks, a piece after the other.
#include <algorithm>

#include "transport/memory/copy_block.hpp"
#include "transport/memory/peer_short.hpp"

namespace tasuki::memory {

void Peer::begin_eager(Operation* receive, Arrival* arrival, What what, const Record& record) {
    Coming message{.receive = receive,
                   .arrival = arrival,
                   .cut = geometry_.cut(record.eager_bytes),
                   .bytes = record.eager_bytes};
    if (receive != nullptr) {
        choose_read(message);
        if (message.bytes <= message.cut.piece) {
            take_out(message, 0, what.block);
            finish_receive(*receive);
            return;
        }
    }
    coming_ = message;
    take_piece(what);
}

void Peer::take_piece(What what) {
    const std::uint64_t place = coming_.come;
    if (Arrival* const arrival = coming_.arrival) {
        arrival->blocks[place / coming_.cut.in_block] = what.block;
        coming_.come += coming_.cut.bytes_at(place, coming_.bytes);
        arrival->held = coming_.come;
    } else {
        coming_.come += take_out(coming_, place, what.block);
    }
    if (coming_.come < coming_.bytes) return;
    if (coming_.receive != nullptr) {
        if (coming_.is_stream) note_stream();
        note_read(coming_);
        finish_receive(*coming_.receive);
    }
    coming_ = {};
}

/// A stream has come. Others that were asked for meanwhile have waited for it.
void Peer::note_stream() {
    const double now = seconds_now();
    FasterWay<Way::straight>& ways = streams_[coming_.bytes];
    ways.note(Way::by_blocks, coming_.bytes, now - stream_asked_);
    stream_asked_ = now;
}

/// Gives a receive what has come of its message, and what will come.
void Peer::take_held(Operation& operation, Arrival& arrival) {
    const std::uint64_t all = operation.arrived = arrival.record.eager_bytes;
    Coming waiting{.receive = &operation, .cut = geometry_.cut(all), .bytes = all};
    choose_read(waiting);
    for (std::uint64_t place = 0; place < arrival.held;) {
        place += take_out(waiting, place, arrival.blocks[place / waiting.cut.in_block]);
    }
    note_settled();
    if (coming_.arrival == &arrival) {
        // How long the rest takes to come is not its reader's doing.
        waiting.read_since = 0;
        waiting.come = coming_.come;
        coming_ = waiting;
    } else {
        note_read(waiting);
        finish_receive(operation);
    }
}

void Peer::choose_read(Coming& message) {
    if (!may_read_faster(message.bytes) || !may_share()) {
        message.read_by = usual_way_to_read(message.bytes);
        return;
    }
    FasterWay<ReadBy::wide>& ways = reads_[message.bytes];
    message.read_by = ways.next(reads_of_a_trial);
    if (ways.wants_time_of_few()) message.read_since = seconds_now();
}

/// The message has been read: at the pace of the slower end if it came meanwhile.
void Peer::note_read(const Coming& message) {
    if (message.read_since == 0 || message.receive->bytes < message.bytes) return;
    const double seconds = seconds_now() - message.read_since;
    reads_[message.bytes].note(message.read_by, message.bytes, seconds);
}

/// Copies the piece at `place` out of its block; gives its bytes.
std::uint64_t Peer::take_out(const Coming& from, std::uint64_t place, std::uint32_t block) {
    const std::uint64_t bytes = from.cut.bytes_at(place, from.bytes);
    const bool is_given_up = from.receive == nullptr;
    if (!is_given_up) {
        copy_in(*from.receive, block_address(block) + from.cut.offset(place), bytes, from.read_by);
    }
    if (from.cut.ends_block(place + bytes, from.bytes)) {
        finish_block(block, from.is_stream || is_given_up);
    }
    return bytes;
}

void Peer::copy_in(Operation& operation, const std::byte* from, std::uint64_t bytes, ReadBy way) {
    if (operation.moved < operation.bytes && bytes > 0) {
        const std::uint64_t fitting = std::min(bytes, operation.bytes - operation.moved);
        read_block(operation.address + operation.moved, from, fitting, way);
        self_.counters.copied_bytes += fitting;
    }
    operation.moved += bytes;
}

/// What was in it has been read.
void Peer::finish_block(std::uint32_t block, bool is_stream) {
    if (is_stream) {
        pool_.hand_back(block);
        note_room();
    } else if (pool_.keep(block)) {
        note_room();
    }
}

std::byte* Peer::block_address(std::uint32_t block) const {
    const bool is_higher = block >= geometry_.blocks;
    return block_bases_[is_higher] +
           std::size_t{is_higher ? block - geometry_.blocks : block} * geometry_.block_bytes;
}

}  // namespace tasuki::memory

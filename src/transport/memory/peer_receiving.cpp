// The half of Peer that receives, and what both halves need.
#include <algorithm>
#include <string>
#include <utility>

#include "transport/memory/copy_block.hpp"
#include "transport/memory/peer_short.hpp"
#include "transport/memory/remote_copy.hpp"

namespace tasuki::memory {

Peer::Peer(Self& self, std::int32_t rank, Segment segment)
    : self_(self),
      rank_(rank),
      segment_(std::move(segment)),
      geometry_(segment_.card().geometry),
      block_bases_{self.segment.blocks(rank), segment_.blocks(self.rank)},
      // At first those in the peer's segment.
      pool_(self.segment.box(rank).handed_back, segment_.box(self.rank).handed_back,
            self.rank < rank ? geometry_.blocks : 0, geometry_.blocks),
      in_(self.segment.box(rank)),
      fifo_(in_.cells.data(), cells_of_box, in_.taken) {
    if (rank < self.rank) std::swap(block_bases_[0], block_bases_[1]);
}

void Peer::take_all() {
    // Not without end: other peers want to be looked at.
    for (std::uint32_t count = 0; count < cells_of_box; ++count) {
        std::uint32_t word = 0;
        const Record* const record = fifo_.peek(word);
        if (record == nullptr) return;
        if (out_) out_->fifo.acknowledge(record->taken);
        if (!take_expected(word, *record)) take(What::of(word), *record);
        if (fifo_.drop()) note_room();
    }
}

/// Takes a short message that the first receive waits for, as most do in a lively exchange; whether
/// it is one. There every branch counts: after a wait the processor guesses them badly.
inline bool Peer::take_expected(std::uint32_t word, const Record& record) {
    const What what = What::of(word);
    Operation* const operation = posted_.first();
    if (operation == nullptr || what.kind != Kind::small || operation->tag != record.tag ||
        operation->request >= 0 || what.bytes > operation->bytes || !self_.posted_to_any.empty()) {
        return false;
    }
    posted_.pop();
    operation->arrived = operation->moved = what.bytes;
    take_short(operation->address, what, record);
    operation->finished->push(*operation);
    return true;
}

void Peer::take(What what, const Record& record) {
    switch (what.kind) {
        case Kind::small:
        case Kind::eager:
        case Kind::offer:
            return take_message(what, record);
        case Kind::piece:
            return take_piece(what);
        case Kind::written:
            return finish_written(record);
        case Kind::request:
            return take_request_in(record);
        case Kind::taken: {
            const auto is_it = [&](const Operation& one) { return one.id == record.direct.id; };
            if (Operation* const operation = offered_.take(is_it)) {
                // Of one that was shared this is known.
                if (!operation->is_shared) self_.counters.count(Path::read, operation->bytes);
                if (record.direct.seen > 0) {
                    cold_blocks_[operation->bytes].note(
                        Way::straight, operation->bytes,
                        1e-9 * static_cast<double>(record.direct.seen));
                }
                operation->finished->push(*operation);
            }
            return;
        }
        case Kind::share:
            return copy_share(record);
        case Kind::pull:
            return start_stream(record);
        case Kind::stream:
            coming_ = {.receive = pulling_.take(
                           [&](const Operation& one) { return one.id == record.direct.id; }),
                       .cut = geometry_.cut_of_stream(record.direct.bytes),
                       .bytes = record.direct.bytes,
                       .is_stream = true,
                       .read_by = usual_way_to_read(record.direct.bytes)};
            return;
    }
}

void Peer::take_message(What what, const Record& record) {
    ++unrequested_taken_;
    if (what.kind != Kind::small) [[unlikely]]
        learn_way(what, record);
    Operation* const operation = take_posted(record.tag);
    if (operation == nullptr) {
        if (spare_.empty()) spare_.emplace_back();
        arrivals_.splice(arrivals_.end(), spare_, spare_.begin());
        Arrival& arrival = arrivals_.back();
        arrival.what = what;
        arrival.record = record;
        if (what.kind == Kind::small && what.bytes > record_bytes) {
            arrival.annex = annex_of(what);
            note_annex();
        }
        arrival.order = self_.arrived_count++;
        arrival.held = 0;
        if (what.kind == Kind::eager) begin_eager(nullptr, &arrival, what, record);
        return;
    }
    if (self_.requests.has_any()) withdraw_crossed(record.tag, *operation);
    if (what.kind == Kind::small) {
        if (what.bytes > record_bytes) note_annex();
        finish_small(*operation, what, record, annex_of(what));
    } else if (what.kind == Kind::eager) {
        operation->arrived = record.eager_bytes;
        note_settled();
        begin_eager(operation, nullptr, what, record);
    } else {
        take_offer(*operation, record);
    }
}

void Peer::finish_small(Operation& operation, What what, const Record& record, const Annex& annex) {
    operation.arrived = what.bytes;
    copy_in(operation, record.small, std::min<std::uint64_t>(what.bytes, record_bytes));
    if (what.bytes > record_bytes) copy_in(operation, annex.data(), what.bytes - record_bytes);
    note_settled();
    finish_receive(operation);
}

/// How the peer sends what might go straight.
void Peer::learn_way(What what, const Record& record) {
    const bool is_offer = what.kind == Kind::offer;
    const std::uint64_t bytes = is_offer ? record.direct.bytes : record.eager_bytes;
    const bool is_direct = bytes >= self_.settings.direct_bytes;
    if (is_direct) {
        comes_in_blocks_ = !is_offer;
        has_answered_ = true;
        if (comes_in_blocks_) came_in_blocks_ = bytes;
    }
    const bool lacks_blocks = is_offer && what.block != 0;
    if (is_offer ? !lacks_blocks : !is_direct) return;
    if (pool_.note_lack(lacks_blocks)) note_room();
}

/// What the peer asks for. A request of the same place has ended, or this one were not.
void Peer::take_request_in(const Record& record) {
    const std::uint64_t place = RequestBook::place_of(record.direct.id);
    std::erase_if(requests_,
                  [&](const Record& one) { return RequestBook::place_of(one.direct.id) == place; });
    requests_.push_back(record);
}

void Peer::finish_written(const Record& record) {
    const auto number = static_cast<std::int64_t>(record.direct.id);
    Operation* const operation =
        posted_.take([&](const Operation& one) { return one.request == number; });
    if (operation == nullptr) return;  // given up
    self_.requests.close(number);
    has_answered_ = true;
    const double by_sender = 1e-9 * static_cast<double>(record.direct.seen);
    streams_[record.direct.bytes].note(Way::straight, record.direct.bytes,
                                       std::max(by_sender, std::exchange(seconds_of_share_, 0)));
    operation->arrived = operation->moved = record.direct.bytes;
    finish_receive(*operation);
}

/// How a receive gets a message that could be copied from buffer to buffer; decided once. Where
/// each end has a core of its own it may be pulled, through a few blocks that stay in the caches.
Way Peer::way_of_large(Operation& operation, std::uint64_t bytes) {
    if (!operation.way) {
        const bool may_be_pulled = bytes >= self_.settings.stream_bytes && may_share();
        operation.way = may_be_pulled ? streams_[bytes].next(streams_of_a_trial) : Way::straight;
    }
    return *operation.way;
}

void Peer::take_offer(Operation& operation, const Record& record) {
    operation.arrived = record.direct.bytes;
    const std::uint64_t bytes = std::min(operation.arrived, operation.bytes);
    Record reply{};
    reply.direct.id = record.direct.id;
    // It was decided by what fits: of a shorter message that says nothing.
    if (operation.arrived != operation.bytes) operation.way.reset();
    if (bytes > 0 && self_.remote_copies &&
        way_of_large(operation, operation.arrived) == Way::straight) {
        const double began = seconds_now();
        const Remote what =
            remote_read(segment_.card().process, record.direct.address, operation.address, bytes);
        if (what == Remote::gone) check_owner_lives();
        if (what == Remote::done) {
            reply.direct.seen = nanoseconds_since(began);
            streams_[bytes].note(Way::straight, bytes,
                                 1e-9 * static_cast<double>(reply.direct.seen));
            operation.moved = bytes;
            self_.counters.copied_bytes += bytes;
        } else if (what != Remote::unreachable) {
            self_.remote_copies = false;
        }
    }
    if (operation.moved == bytes) {
        answer(Kind::taken, reply);
        finish_receive(operation);
        return;
    }
    operation.id = reply.direct.address = ++self_.last_id;
    reply.direct.bytes = bytes;
    operation.stream = Operation::Stream::asked;
    if (pulling_.empty() && !coming_.is_stream) stream_asked_ = seconds_now();
    pulling_.push(operation);
    answer(Kind::pull, reply);
}

void Peer::finish_receive(Operation& operation) {
    operation.finished->push(operation);
}

void Peer::note_room() {
    has_made_room_ = true;
    touch();
}

void Peer::join_touched() {
    is_touched_ = true;
    self_.touched.push_back(this);
}

void Peer::ring_if_needed() {
    is_touched_ = has_made_room_ = false;
    const bool has_written = has_written_;
    has_written_ = false;
    // That room was made matters only to a peer that waits for it.
    if (has_written || in_.starved.load(Order::relaxed) != 0) segment_.front().bell.ring();
}

void Peer::prepare_sleep() {
    if (fifo_.tell()) note_room();
    if (has_waiting()) out().box.starved.store(1, Order::relaxed);
}

void Peer::end_sleep() {
    if (out_) out_->box.starved.store(0, Order::relaxed);
}

void Peer::check_is_alive() const {
    const bool is_needed = !posted_.empty() || !pulling_.empty() || !offered_.empty() ||
                           coming_.receive != nullptr || has_waiting() || awaits_board_;
    if (is_needed) check_owner_lives();
}

void Peer::check_owner_lives() const {
    if (segment_.has_living_owner()) return;
    throw PeerGone("rank " + std::to_string(rank_) + " of this node (process " +
                   std::to_string(segment_.card().process) +
                   ") has ended while messages with it were under way");
}

void Peer::abandon(const OperationList& finished) {
    const auto is_it = [&](const Operation& one) { return one.finished == &finished; };
    while (Operation* const receive = posted_.take(is_it)) {
        if (receive->request < 0 || self_.requests.withdraw(receive->request)) continue;
        // Its sender is writing; that ends, unless the sender has ended.
        while (self_.requests.is_claimed(receive->request) && segment_.has_living_owner()) relax();
        self_.requests.close(receive->request);
    }
    while (pulling_.take(is_it) != nullptr) continue;
    while (offered_.take(is_it) != nullptr) continue;
    if (coming_.receive != nullptr && is_it(*coming_.receive)) coming_.receive = nullptr;
    // What has not begun is not sent; what has, or was pulled, is ended without its data.
    OperationList others = std::exchange(outgoing_, {});
    while (Operation* const send = others.pop()) {
        if (!is_it(*send)) {
            outgoing_.push(*send);
        } else if (send->moved > 0 || send->stream != Operation::Stream::no) {
            Operation& orphan = orphans_.emplace_back(*send);
            orphan.finished = nullptr;
            orphan.address = nullptr;
            outgoing_.push(orphan);
        }
    }
}

}  // namespace tasuki::memory

// The half of Peer that sends.
#include <algorithm>
#include <cstring>
#include <utility>

#include "transport/memory/copy_block.hpp"
#include "transport/memory/peer_short.hpp"
#include "transport/memory/remote_copy.hpp"

namespace tasuki::memory {

Peer::Out::Out(const Segment& segment, std::int32_t own_rank)
    : box(segment.box(own_rank)), fifo(box.cells.data(), cells_of_box, box.taken) {
    segment.front().talkers[own_rank / 64].fetch_or(std::uint64_t{1} << (own_rank % 64));
}

void Peer::send(Operation& operation) {
    const bool is_now =
        !operation.is_synchronous && send_now(operation.tag, operation.address, operation.bytes);
    if (is_now) [[likely]] {
        operation.finished->push(operation);
        return;
    }
    // Its request may just have come.
    if (operation.bytes >= self_.settings.direct_bytes && is_talking_) take_all();
    if (!outgoing_.empty()) {
        outgoing_.push(operation);
        return;
    }
    const Sent sent = try_send(operation);
    if (sent == Sent::blocked) outgoing_.push(operation);
    settle_send(operation, sent);
}

void Peer::send_waiting() {
    Out& to = out();
    for (; !answers_.empty(); answers_.pop_front()) {
        Record* const record = to.fifo.claim();
        if (record == nullptr) return;
        *record = answers_.front().record;
        publish(*record, {answers_.front().kind, 0, 0});
        --self_.waiting_answers;
    }
    while (Operation* const operation = outgoing_.first()) {
        const Sent sent = try_send(*operation);
        if (sent == Sent::blocked) return;
        outgoing_.pop();
        settle_send(*operation, sent);
    }
}

void Peer::settle_send(Operation& operation, Sent sent) {
    if (sent == Sent::offered) offered_.push(operation);
    if (sent != Sent::done) return;
    if (operation.finished != nullptr) {
        operation.finished->push(operation);
    } else {
        orphans_.remove_if([&](const Operation& orphan) { return &orphan == &operation; });
    }
}

Peer::Sent Peer::try_send(Operation& operation) {
    if (operation.stream != Operation::Stream::no || operation.moved > 0) return go_on(operation);
    Record* const record = out().fifo.claim();
    if (record == nullptr) return Sent::blocked;
    if (operation.bytes <= small_bytes && !operation.is_synchronous &&
        send_small(operation.tag, operation.address, operation.bytes)) {
        return Sent::done;
    }
    const Route route = route_of(operation);
    if (route != Route::in_blocks) {
        const bool is_direct = operation.bytes >= self_.settings.direct_bytes;
        const std::optional<Sent> sent = is_direct ? try_write(operation) : std::nullopt;
        return sent ? *sent : offer(operation, route);
    }
    return send_in_blocks(operation, *record);
}

/// One in cold blocks that could go straight has used up what its peer has answered: those of a
/// burst come to have warm ones, one more with each answer.
Peer::Sent Peer::send_in_blocks(Operation& operation, Record& record) {
    const std::uint64_t bytes = operation.bytes;
    bool is_measured = false;
    if (bytes >= self_.settings.direct_bytes) {
        if (trials_left_ > 0) --trials_left_;
        const auto blocks = static_cast<std::uint32_t>(geometry_.cut(bytes).blocks(bytes));
        if (!pool_.has_warm(blocks)) has_answered_ = false;
        // Those whose memory the system has yet to give take longer.
        is_measured =
            is_chosen_by_pace_ && cold_blocks_[bytes].wants_time() && !pool_.has_unused(blocks);
    }
    const double began = is_measured ? seconds_now() : 0;
    note_sent(operation.tag);
    ++eager_sent_;
    record.eager_bytes = static_cast<std::uint32_t>(bytes);
    record.tag = operation.tag;
    publish_piece(operation, record, Kind::eager);
    const Sent sent = go_on(operation);
    if (is_measured && sent == Sent::done)
        cold_blocks_[bytes].note(Way::by_blocks, bytes, seconds_now() - began);
    return sent;
}

/// Whether a message is copied in and out of blocks: whoever sends it has made sure of these.
Peer::Route Peer::route_of(const Operation& operation) {
    // Of an offer it is known when it has been taken.
    if (operation.is_synchronous) return Route::straight;
    // It was small but for want of credit, of which some may have come meanwhile.
    if (operation.bytes == 0) return Route::straight;
    const std::uint64_t needed = geometry_.cut(operation.bytes).blocks(operation.bytes);
    if (needed + blocks_for_streams > geometry_.blocks || !has_credit()) return Route::straight;
    const auto blocks = static_cast<std::uint32_t>(needed);
    if (operation.bytes >= self_.settings.direct_bytes && !is_best_in_blocks(operation, blocks)) {
        return Route::straight;
    }
    return pool_.has(blocks + blocks_for_streams) ? Route::in_blocks : Route::straight_for_lack;
}

/// Whether a message that could go straight should go in so many blocks. Two copies through warm
/// blocks take less time than one that the kernel makes.
bool Peer::is_best_in_blocks(const Operation& operation, std::uint32_t blocks) {
    is_chosen_by_pace_ = false;
    if (operation.bytes > self_.settings.warm_bytes) return false;
    if (!self_.remote_copies || trials_left_ > 0) return true;
    // Of a block that a smaller message brought only the part is warm that it filled. Whose
    // messages are answered by as large ones in blocks soon has warm ones, if it has none.
    const bool is_even = came_in_blocks_ >= operation.bytes;
    if (is_even && (pool_.has_warm(blocks) || (has_answered_ && comes_in_blocks_))) return true;
    const std::uint64_t coming = bytes_that_come();
    if (comes_in_blocks_ && coming >= operation.bytes) return true;
    const std::uint32_t a_round = geometry_.blocks / blocks;
    const bool is_answered = has_answered_ || coming > 0;
    // Where there are too few, the peer has to hear of it.
    if (!is_answered && pool_.has_unused(blocks) && pool_.has(blocks + blocks_for_streams)) {
        passed_unused_ += operation.bytes;
        if (passed_unused_ < rounds_before_new * a_round * operation.bytes) return false;
    }
    is_chosen_by_pace_ = true;
    return cold_blocks_[operation.bytes].next(a_round) == Way::by_blocks;
}

/// The rest of a message that travels in blocks.
Peer::Sent Peer::go_on(Operation& operation) {
    Out& to = out();
    const bool is_stream = operation.stream != Operation::Stream::no;
    if (operation.stream == Operation::Stream::asked) {
        Record* const record = to.fifo.claim();
        if (record == nullptr) return Sent::blocked;
        record->direct.id = operation.id;
        record->direct.bytes = operation.bytes;
        publish(*record, {Kind::stream, 0, 0});
        operation.stream = Operation::Stream::begun;
        stream_began_ = seconds_now();
    }
    while (operation.moved < operation.bytes) {
        // An eager message has made sure of its blocks.
        if (is_stream && !pool_.has(1)) return Sent::blocked;
        Record* const record = to.fifo.claim();
        if (record == nullptr) return Sent::blocked;
        publish_piece(operation, *record, Kind::piece);
    }
    self_.counters.count(is_stream ? Path::pulled : Path::eager, operation.bytes);
    // Instead of filling cold blocks it went so.
    if (is_stream) {
        const double seconds = seconds_now() - stream_began_;
        cold_blocks_[operation.bytes].note(Way::straight, operation.bytes, seconds);
    }
    return Sent::done;
}

void Peer::publish_piece(Operation& operation, Record& record, Kind kind) {
    const Cut cut = operation.stream == Operation::Stream::no
                        ? geometry_.cut(operation.bytes)
                        : geometry_.cut_of_stream(operation.bytes);
    const std::uint64_t offset = cut.offset(operation.moved);
    const std::uint64_t bytes = cut.bytes_at(operation.moved, operation.bytes);
    if (offset == 0) operation.block = pool_.take();
    std::byte* const place = block_address(operation.block) + offset;
    if (operation.address != nullptr) {
        fill_block(place, operation.address + operation.moved, bytes);
    } else {
        std::memset(place, 0, bytes);  // given up: nobody will look at it
    }
    operation.moved += bytes;
    self_.counters.copied_bytes += bytes;
    publish(record, {kind, static_cast<std::uint8_t>(operation.block), 0});
}

/// The receiver reads it when it asks for it.
Peer::Sent Peer::offer(Operation& operation, Route route) {
    Record* const record = out().fifo.claim();
    operation.id = ++self_.last_id;
    record->tag = operation.tag;
    record->direct.bytes = operation.bytes;
    record->direct.address = reinterpret_cast<std::uintptr_t>(operation.address);
    record->direct.id = operation.id;
    const bool lacks_blocks = route == Route::straight_for_lack;
    end_streaming_stores();
    publish(*record, {Kind::offer, static_cast<std::uint8_t>(lacks_blocks), 0});
    note_sent(operation.tag);
    return Sent::offered;
}

/// Of a large message of the peer's that comes or waits here, too; 0 if there is none.
std::uint64_t Peer::bytes_that_come() const {
    const Operation* const posted = posted_.first();
    std::uint64_t most = posted != nullptr ? posted->bytes : 0;
    if (most < self_.settings.direct_bytes) most = 0;
    for (const Arrival& one : arrivals_) {
        if (one.what.kind == Kind::offer) most = std::max(most, one.record.direct.bytes);
    }
    return most;
}

/// Writes to where the receiver waits for it, if it does. In an exchange each reads the other's
/// message, at the same time: or one of the two might come to copy both, while the other waits.
std::optional<Peer::Sent> Peer::try_write(Operation& operation) {
    if (bytes_that_come() > 0) return std::nullopt;
    Out& to = out();
    while (self_.remote_copies) {
        const Record* const request = take_request(operation.tag, operation.bytes);
        if (request == nullptr) return std::nullopt;
        const std::uint64_t id = request->direct.id;
        if (!RequestBook::claim(segment_.front(), id)) continue;
        Share share = share_of(segment_.front(), id, operation.bytes);
        share.begin();
        const double began = seconds_now();
        const Remote what = write_blocks(operation, *request, share);
        const bool is_helped = share.has_last();
        RequestBook::release(segment_.front(), id, what == Remote::done);
        if (what == Remote::gone) check_owner_lives();
        if (what != Remote::done) {
            if (is_helped) fail_share();
            operation.is_shared = false;
            if (what != Remote::unreachable) self_.remote_copies = false;
            return std::nullopt;
        }
        Record* const record = to.fifo.claim();
        record->direct.bytes = operation.bytes;
        record->direct.id = id;
        record->direct.seen = nanoseconds_since(began);
        publish(*record, {Kind::written, 0, 0});
        self_.counters.count(Path::written, operation.bytes);
        return is_helped ? Sent::offered : Sent::done;
    }
    return std::nullopt;
}

/// The first request for such a message that is still good; it is taken out, with those that are
/// not. One that was left before we sent a message that its receive may have taken has crossed that
/// message, and is refused: the receiver needs no answer, it still looks at what comes, and takes
/// all its requests of that tag for refused. Where it cannot know of a refusal its receive still
/// comes before those of later requests, so that the message has to go without any.
const Record* Peer::take_request(Tag tag, std::uint64_t bytes) {
    auto request = requests_.begin();
    while (request != requests_.end()) {
        if (request->tag != tag) {
            ++request;
            continue;
        }
        taken_request_ = *request;
        request = requests_.erase(request);
        const std::uint64_t passed = unrequested_sent_ - taken_request_.direct.seen;
        if (passed > remembered || taken_request_.direct.bytes < bytes) return nullptr;
        bool has_crossed = false;
        for (std::uint64_t back = 1; back <= passed && !has_crossed; ++back) {
            has_crossed = sent_tags_[(unrequested_sent_ - back) % remembered] == tag;
        }
        if (!has_crossed) return &taken_request_;
    }
    return nullptr;
}

void Peer::answer(Kind kind, const Record& record) {
    Record* const place = answers_.empty() ? out().fifo.claim() : nullptr;
    if (place == nullptr) {
        answers_.push_back({kind, record});
        ++self_.waiting_answers;
        return;
    }
    *place = record;
    publish(*place, {kind, 0, 0});
}

/// The receiver cannot read what we have offered, or gets it faster so.
void Peer::start_stream(const Record& pull) {
    Operation* operation =
        offered_.take([&](const Operation& one) { return one.id == pull.direct.id; });
    if (operation == nullptr) {
        operation = &orphans_.emplace_back();
        operation->bytes = pull.direct.bytes;
    }
    operation->stream = Operation::Stream::asked;
    operation->id = pull.direct.address;
    operation->bytes = pull.direct.bytes;
    outgoing_.push(*operation);
}

}  // namespace tasuki::memory

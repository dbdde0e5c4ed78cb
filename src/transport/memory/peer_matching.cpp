// The part of Peer that says which receive takes which message, as MPI does: of messages of a
// sender the first that a receive takes, and of receives the first that takes a message, whether of
// this peer or of any.
#include <algorithm>

#include "transport/memory/peer_short.hpp"

namespace tasuki::memory {

void Peer::receive(Operation& operation) {
    const bool is_direct = operation.bytes >= self_.settings.direct_bytes && self_.remote_copies;
    // A request is only left for a message that has not come.
    if (is_direct && is_talking_) take_all();
    if (!arrivals_.empty() && receive_arrival(operation)) return;
    operation.order = self_.posted_count++;
    if (is_direct && !comes_in_blocks_ &&
        way_of_large(operation, operation.bytes) == Way::straight) {
        leave_request(operation);
    }
    posted_.push(operation);
}

/// Whether a message for the receive had come already.
bool Peer::receive_arrival(Operation& operation) {
    const auto arrival = std::find_if(arrivals_.begin(), arrivals_.end(), [&](const Arrival& one) {
        return operation.takes(one.record.tag);
    });
    if (arrival == arrivals_.end()) return false;
    settle_wildcards(operation, arrival->record.tag);
    switch (arrival->what.kind) {
        case Kind::small:
            finish_small(operation, arrival->what, arrival->record, arrival->annex);
            break;
        case Kind::offer:
            take_offer(operation, arrival->record);
            break;
        default:
            take_held(operation, *arrival);
    }
    spare_.splice(spare_.begin(), arrivals_, arrival);
    return true;
}

std::optional<Envelope> Peer::find_arrival(const Operation& receive) const {
    for (const Arrival& one : arrivals_) {
        const Record& record = one.record;
        if (!receive.takes(record.tag)) continue;
        const std::uint64_t bytes = one.what.kind == Kind::small   ? one.what.bytes
                                    : one.what.kind == Kind::eager ? record.eager_bytes
                                                                   : record.direct.bytes;
        return Envelope{rank_, record.tag, bytes, one.order};
    }
    return std::nullopt;
}

/// The sender may write into the buffer itself, unless an earlier receive without a request could
/// take the same message: then it might write into the wrong one. It knows requests by their tag.
void Peer::leave_request(Operation& operation) {
    if (operation.ignored != 0) return;
    const auto is_in_the_way = [&](const Operation& earlier) {
        return earlier.request < 0 && earlier.competes_with(operation);
    };
    if (posted_.find(is_in_the_way) != nullptr) return;
    if (self_.posted_to_any.find(is_in_the_way) != nullptr) return;
    operation.request = self_.requests.open_one();
    if (operation.request < 0) return;
    Record record{};
    record.tag = operation.tag;
    record.direct.bytes = operation.bytes;
    record.direct.address = reinterpret_cast<std::uintptr_t>(operation.address);
    record.direct.id = static_cast<std::uint64_t>(operation.request);
    record.direct.seen = unrequested_taken_;
    end_streaming_stores();
    answer(Kind::request, record);
}

/// The first receive for such a message, of those of this peer and of any, taken out; nullptr if
/// there is none.
Operation* Peer::take_posted(Tag tag) {
    const auto takes = [&](const Operation& one) { return one.takes(tag); };
    Operation* const any = self_.posted_to_any.find(takes);
    Operation* taken = any == nullptr ? nullptr : posted_.find(takes);
    if (any != nullptr && (taken == nullptr || any->order < taken->order)) {
        taken = self_.posted_to_any.take(takes);
    } else {
        taken = posted_.take(takes);
    }
    if (taken != nullptr) settle_wildcards(*taken, tag);
    return taken;
}

/// What the receive left open is known.
void Peer::settle_wildcards(Operation& receive, Tag tag) const {
    receive.peer = rank_;
    receive.tag = tag;
}

/// The message has crossed the requests of its tag, which its sender will refuse: that of the
/// receive that takes it, and those of others, before which no later one may leave a request.
void Peer::withdraw_crossed(Tag tag, Operation& taker) {
    if (taker.request >= 0) self_.requests.withdraw(taker.request);
    for (Operation* other = posted_.first(); other != nullptr; other = other->next) {
        if (other->request < 0 || other->tag != tag) continue;
        if (self_.requests.withdraw(other->request)) other->request = -1;
    }
}

bool Peer::cancel(Operation& receive) {
    const auto is_it = [&](const Operation& one) { return &one == &receive; };
    if (posted_.find(is_it) == nullptr) return false;
    if (receive.request >= 0 && !self_.requests.withdraw(receive.request)) return false;
    posted_.take(is_it);
    return true;
}

}  // namespace tasuki::memory

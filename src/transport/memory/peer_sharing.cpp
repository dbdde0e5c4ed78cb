// Large messages for which the receiver waits: it reads them, or both ends copy.
#include <algorithm>
#include <string>

#include "transport/memory/cores.hpp"
#include "transport/memory/peer.hpp"
#include "transport/memory/remote_copy.hpp"
#include "transport/memory/sync.hpp"

namespace tasuki::memory {

namespace {

/// Looks of a sender, a microsecond in all, for a receiver that begins to read.
constexpr int looks_for_a_reader = 32;

}  // namespace

/// Writes a message to where the receiver wants it, but for what the receiver, while it waits,
/// reads itself: all of a shorter one, because to write lines that the other core's cache has takes
/// longer than to read some. One that sleeps is not woken for that.
Remote Peer::write_blocks(Operation& operation, const Record& request, Share& share) {
    const std::uint64_t address = request.direct.address;
    bool is_told = !may_share() || !out().fifo.has_room(2);
    bool has_written = false;
    const double began = seconds_now();
    // The peer is not told before it is known that we can write: or we could not go back.
    const Remote reached = is_told ? Remote::done : try_reach(address, operation);
    if (reached != Remote::done) return reached;
    for (;;) {
        if (!is_told) {
            publish_share(operation, request.direct.id);
            is_told = true;
            const bool is_short = operation.bytes < self_.settings.shared_bytes;
            for (int i = 0; is_short && i < looks_for_a_reader && !share.has_last(); ++i) relax();
        }
        const auto block = share.claim_first();
        if (!block) {
            // Of what it has read alone the receiver tells.
            if (has_written) {
                cold_blocks_[operation.bytes].note(Way::straight, operation.bytes,
                                                   seconds_now() - began);
            }
            return Remote::done;
        }
        const auto [from, bytes] = share_block(*block, operation.bytes);
        const Remote what =
            remote_write(segment_.card().process, address + from, operation.address + from, bytes);
        if (what != Remote::done) return what;
        has_written = true;
        self_.counters.copied_bytes += bytes;
    }
}

/// Whether the whole message can be written there, as far as its ends tell.
Remote Peer::try_reach(std::uint64_t address, const Operation& operation) {
    if (written_.holds(address, operation.bytes)) return Remote::done;
    const Remote what =
        remote_write_ends(segment_.card().process, address, operation.address, operation.bytes);
    if (what == Remote::done) written_.add(address, operation.bytes);
    return what;
}

/// Where the two share a core, one of them would only keep the other from copying.
bool Peer::may_share() {
    if (!may_share_) {
        may_share_ = self_.shares_copies && have_a_core_each(segment_.card().process);
    }
    return *may_share_;
}

void Peer::publish_share(Operation& operation, std::uint64_t id) {
    operation.is_shared = true;
    operation.id = ++self_.last_id;
    Record* const record = out().fifo.claim();
    record->direct.bytes = operation.bytes;
    record->direct.address = reinterpret_cast<std::uintptr_t>(operation.address);
    record->direct.id = id;
    record->direct.seen = operation.id;
    publish(*record, {Kind::share, 0, 0});
}

/// The sender has a message for here, and may have begun to write it: as long as something is left
/// we read of it, from its end.
void Peer::copy_share(const Record& record) {
    const auto number = static_cast<std::int64_t>(record.direct.id);
    Operation* const operation =
        posted_.find([&](const Operation& one) { return one.request == number; });
    if (operation == nullptr || !may_read(record.direct.address, record.direct.bytes))
        return;  // or given up
    Share share = share_of(self_.segment.front(), record.direct.id, record.direct.bytes);
    std::uint64_t copied = 0;
    const double began = seconds_now();
    while (const auto block = share.claim_last()) {
        const auto [from, bytes] = share_block(*block, record.direct.bytes);
        const Remote what = remote_read(segment_.card().process, record.direct.address + from,
                                        operation->address + from, bytes);
        if (what != Remote::done) fail_share();
        copied += bytes;
    }
    if (copied == 0) return;
    seconds_of_share_ = seconds_now() - began;
    self_.counters.copied_bytes += copied;
    Record reply{};
    reply.direct.id = record.direct.seen;
    if (copied == record.direct.bytes) reply.direct.seen = nanoseconds_since(began);
    answer(Kind::taken, reply);
}

/// Whether the system lets us read that memory of the peer's, as far as its ends tell. What has
/// been claimed must be copied.
bool Peer::may_read(std::uint64_t address, std::uint64_t bytes) {
    if (is_denied_to_read_ || !self_.remote_copies) return false;
    if (read_.holds(address, bytes)) return true;
    const Remote what = remote_read_ends(segment_.card().process, address, bytes);
    is_denied_to_read_ = what == Remote::denied;
    if (what == Remote::done) read_.add(address, bytes);
    return what == Remote::done;
}

/// One block and all before it are the message where it is not shared.
Share Peer::share_of(Front& receiver, std::uint64_t request, std::uint64_t bytes) const {
    const std::uint64_t block_bytes = self_.settings.share_block_bytes;
    const bool is_shared = bytes >= self_.settings.shared_bytes;
    return {receiver.shares[RequestBook::place_of(request)],
            is_shared ? (bytes + block_bytes - 1) / block_bytes : 1};
}

Peer::Range Peer::share_block(std::uint64_t block, std::uint64_t bytes) const {
    if (bytes < self_.settings.shared_bytes) return {0, bytes};
    const std::uint64_t from = block * self_.settings.share_block_bytes;
    return {from, std::min(self_.settings.share_block_bytes, bytes - from)};
}

void Peer::fail_share() const {
    check_owner_lives();
    throw PeerGone("the system no longer lets us copy from or to rank " + std::to_string(rank_) +
                   " of this node (process " + std::to_string(segment_.card().process) + ")");
}

}  // namespace tasuki::memory

// A rank's end of the memory transport: bytes in, bytes out, matched by sender and tag.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "transport/memory/companion.hpp"
#include "transport/memory/counters.hpp"
#include "transport/memory/operation.hpp"
#include "transport/memory/peer_short.hpp"
#include "transport/memory/self.hpp"
#include "transport/memory/waiting.hpp"

namespace tasuki::memory {

/// One for each rank. The ranks of a node make a Segment each, tell each other their cards, in the
/// order of their ranks on the node, and make an Endpoint of all of them.
///
/// A message goes from send() to the first receive() of its tag that was called for its sender; the
/// order of messages of a tag is kept. Used by one thread at a time.
///
/// Memory: Geometry says what is shared. A message that comes before its receive takes 400 bytes;
/// of those that come so, a pair has 1024 at the most, beside those whose sends still wait.
class Endpoint {
  public:
    /// Throws NoSharedMemory if the memory of one of them cannot be had.
    Endpoint(Segment segment, const std::vector<Card>& cards, std::int32_t rank,
             const Settings& settings = {});
    Endpoint(const Endpoint&) = delete;
    ~Endpoint();

    /// Begin a message. `operation` is put into its list `finished`, at once or by progress().
    /// What was begun reaches a peer that sleeps only with progress(), ring_bells(), flush(),
    /// wait() or what receive_now() gives, so that several need one fence.
    void send(Operation& operation) { peer(operation.peer).send(operation); }
    void receive(Operation& operation) {
        if (operation.peer == any_peer) [[unlikely]]
            return receive_of_any(operation);
        peer(operation.peer).receive(operation);
    }

    /// The same for what is short and done in the same moment, without an operation. send_now()
    /// tells whether it has; if not, the message is for send(). receive_now() looks for some tenths
    /// of a microsecond and gives the bytes of the message; if it gives none, which is also so when
    /// something else is to be received from that rank before, the message is for receive().
    bool send_now(std::int32_t rank, Tag tag, const std::byte* address, std::uint64_t bytes) {
        return peer(rank).send_now(tag, address, bytes);
    }
    std::optional<std::uint64_t> receive_now(std::int32_t rank, Tag tag, std::byte* address,
                                             std::uint64_t bytes) {
        const auto came = peer(rank).receive_now(tag, address, bytes, looks_before_bells());
        if (came) ring_bells();
        return came;
    }

    /// Does what can be done without waiting.
    void progress();
    /// Wakes peers that sleep and have not been told of what was written for them. A lively peer
    /// has taken everything already, and no fence needs to wait for stores.
    void ring_bells() {
        for (const Peer* const touched : self_.touched) {
            if (touched->may_need_bell()) return ring_touched();
        }
    }

    /// The message that has come first of those that `receive` (its peer, tag and ignored bits)
    /// would take if it were posted now. What has come is known since the last progress().
    std::optional<Envelope> probe(const Operation& receive) const;
    /// Gives up a posted receive; false if its message has begun to come, and then it will finish.
    bool cancel(Operation& receive);

    /// Waits until `finished` is not empty. `first` is what is waited for: the wait learns how long
    /// messages like it take. Throws PeerGone.
    void wait(const OperationList& finished, const Operation& first);
    /// The same until `is_over()`, which is asked after every progress.
    void wait(const std::function<bool()>& is_over, const Operation& first);

    /// What must go on while this rank waits, and rings no bell: another library's messages. From
    /// then on waits ask it and sleep shortly; it must stay as long as this.
    void accompany(Companion& companion) { companion_ = &companion; }
    /// Waits until the companion has something, and meanwhile does here what peers ask for. Throws
    /// PeerGone.
    void wait_for_companion();

    /// Waits until nothing of this rank waits for room any more: answers that peers wait for. To be
    /// called before it stops calling progress(). Throws PeerGone. Where each rank has a core it
    /// looks for what comes only while it waits: who looks ahead for its peer's next record takes
    /// the line from a peer that is writing it, and what comes for no receive is copied once more.
    void flush();
    /// Whether some of these wait.
    bool owes_answers() const { return self_.waiting_answers > 0; }

    /// Gives up all operations that were to finish in `finished`; nothing writes to their buffers
    /// any more. What is being sent may still be read.
    void abandon(const OperationList& finished) noexcept;

    /// Looks before peers that sleep are woken by what this rank has begun: the fence that it takes
    /// waits for the last store to reach the other core, while the answer may already be coming
    /// from there. Between cores that lie far from each other it takes some ten of these.
    int looks_before_bells() const { return waiting_.is_crowded() ? 1 : 32; }

    // For Boards:
    const Segment& segment_of(std::int32_t rank) const {
        return peers_[rank] != nullptr ? peers_[rank]->segment() : *segments_[rank];
    }
    /// Waits until `is_over()`, which becomes true by what `rank` writes to or reads from a board:
    /// so many bytes. Throws PeerGone.
    void wait_for_board(std::int32_t rank, std::uint64_t bytes,
                        const std::function<bool()>& is_over);
    /// What was copied for messages outside of here.
    void count_copied(std::uint64_t bytes) { self_.counters.copied_bytes += bytes; }
    void count_posted(std::uint64_t messages, std::uint64_t bytes, std::uint64_t copied) {
        self_.counters.count(Path::posted, messages, bytes);
        self_.counters.copied_bytes += copied;
    }

    std::int32_t rank() const { return self_.rank; }
    std::int32_t ranks() const { return static_cast<std::int32_t>(peers_.size()); }
    const Counters& counters() const { return self_.counters; }
    /// Whether large messages go straight from buffer to buffer; false from when the system denied
    /// it.
    bool has_remote_copies() const { return self_.remote_copies; }
    /// Whether it is the system that denies them, and not the settings.
    bool is_denied_remote_copies() const {
        return self_.settings.remote_copies && !self_.remote_copies;
    }

  private:
    Peer& peer(std::int32_t rank) {
        const auto& known = peers_[rank];
        return known != nullptr ? *known : meet(rank);
    }
    Peer& meet(std::int32_t rank);
    void receive_of_any(Operation& operation);
    void check_peers_live() const;
    void meet_talkers();
    void look_around();
    void ring_touched();
    float& usual_wait(const Operation& first);
    template <typename IsOver>
    bool comes_shortly(IsOver&& is_over);
    template <typename IsOver>
    void wait_until(IsOver&& is_over, float& usual);
    template <typename IsOver>
    void sleep(IsOver&& is_over, double seconds);
    bool companion_ends_wait(double now);
    bool peers_were_busy(double from, double to) const;

    Self self_;
    std::vector<std::optional<Segment>> segments_;  // [rank], those that were not met
    std::vector<std::unique_ptr<Peer>> peers_;      // [rank], those that were
    std::vector<Peer*> met_;
    std::int32_t silent_;                 // other ranks that have not begun to send
    std::vector<std::uint64_t> talkers_;  // as Front::talkers, those that were met
    Waiting waiting_;
    RecentWaits waits_for_any_;
    Companion* companion_ = nullptr;
    float usual_of_companion_ = 0;
    double last_asked_ = 0;  // when the companion was, in this wait, or when the wait began
};

}  // namespace tasuki::memory

// One other rank of the node, and how messages go between it and this one.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <list>
#include <optional>
#include <stdexcept>
#include <vector>

#include "transport/memory/copy_block.hpp"
#include "transport/memory/faster_way.hpp"
#include "transport/memory/operation.hpp"
#include "transport/memory/reached_memory.hpp"
#include "transport/memory/remote_copy.hpp"
#include "transport/memory/self.hpp"
#include "transport/memory/waiting.hpp"

namespace tasuki::memory {

/// A rank that this one waits for has ended. The text is for users.
class PeerGone : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A message that has come and that no receive has taken.
struct Envelope {
    std::int32_t peer;
    Tag tag;
    std::uint64_t bytes;
    std::uint64_t order;  ///< how many had come before it, from all peers
};

/// Everything between a pair, seen from one side. A message takes one of the ways of Path, decided
/// when its turn to be sent comes: by its size, by whether the receiver has left a request for it,
/// and by whether there is room. The order of sends is that of the messages on every way.
class Peer {
  public:
    /// `segment` is the peer's, attached.
    Peer(Self& self, std::int32_t rank, Segment segment);

    void send(Operation& operation);
    void receive(Operation& operation);
    /// A receive of any peer takes what has come from this one; false if nothing has.
    bool receive_arrival(Operation& operation);
    /// As Endpoint has them; at most so many looks.
    bool send_now(Tag tag, const std::byte* address, std::uint64_t bytes);
    std::optional<std::uint64_t> receive_now(Tag tag, std::byte* address, std::uint64_t bytes,
                                             int looks);
    /// Takes what has come and sends what waits for room.
    void progress() {
        if (is_talking_ && fifo_.has_next()) take_all();
        if (has_waiting()) [[unlikely]]
            send_waiting();
    }
    /// Whether a send or an answer waits for room.
    bool has_waiting() const { return !outgoing_.empty() || !answers_.empty(); }
    /// The peer has begun to send.
    void start_talking() { is_talking_ = true; }

    /// Whether the peer may sleep without knowing of what was written for it or of room that was
    /// made.
    bool may_need_bell() const {
        return has_made_room_ || (has_written_ && out_->fifo.has_untaken());
    }
    /// Wakes the peer if it must be; a full fence has followed what was written for it.
    void ring_if_needed();
    /// Before this rank sleeps: tells the peer of all room, and that we wait for room.
    void prepare_sleep();
    /// Whether something has come to wait for room since.
    bool waits_untold() const {
        return has_waiting() && out_->box.starved.load(Order::relaxed) == 0;
    }
    void end_sleep();

    /// Throws PeerGone if something is under way with a process that has ended.
    void check_is_alive() const;
    /// Throws PeerGone if the peer's process has ended.
    void check_owner_lives() const;
    /// Whether this rank waits for what the peer is to post, or to read of its own posts.
    void await_board(bool awaits) { awaits_board_ = awaits; }
    /// The first message that has come and that a receive like this would take.
    std::optional<Envelope> find_arrival(const Operation& receive) const;
    /// Gives up all operations that were to finish in `finished`. Nothing writes to their buffers
    /// any more.
    void abandon(const OperationList& finished);
    /// Gives up a receive of this peer's; false if its message has begun to come.
    bool cancel(Operation& receive);

    RecentWaits& recent_waits() { return recent_waits_; }
    const Segment& segment() const { return segment_; }

  private:
    /// A message that has come before its receive.
    struct Arrival {
        What what;
        Record record;
        Annex annex;
        std::uint64_t order;  // among those of all peers
        std::uint64_t held;   // bytes of an eager message that wait in these
        std::array<std::uint8_t, most_blocks> blocks;
    };
    /// The message whose pieces come.
    struct Coming {
        Operation* receive = nullptr;  // nullptr: it has none yet, or that was given up;
        Arrival* arrival = nullptr;    // where it has none yet
        Cut cut;
        std::uint64_t bytes = 0;
        std::uint64_t come = 0;
        bool is_stream = false;
        ReadBy read_by = ReadBy::wide;
        double read_since = 0;  // 0: how long that takes is not to be known
    };
    struct Answer {
        Kind kind;
        Record record;
    };
    struct Range {
        std::uint64_t from;
        std::uint64_t bytes;
    };
    enum class Sent : std::uint8_t { done, offered, blocked };
    enum class Route : std::uint8_t { in_blocks, straight, straight_for_lack };
    /// The way to the peer.
    struct Out {
        Box& box;
        FifoWriter<Hardware, Record> fifo;
        /// [annex] The record that used it last, as FifoWriter::written() counts them.
        std::array<std::uint64_t, annexes_of_box> annex_until{};

        Out(const Segment& segment, std::int32_t own_rank);
        std::uint8_t claim_annex();
    };

    Out& out() {
        if (!out_) [[unlikely]]
            out_.emplace(segment_, self_.rank);
        return *out_;
    }

    // peer_short.hpp
    bool has_credit();
    bool send_small(Tag tag, const std::byte* address, std::uint64_t bytes);
    void take_short(std::byte* address, What what, const Record& record);
    const Annex& annex_of(What what) const;
    void note_annex();
    void note_settled();

    // peer_sending.cpp
    void send_waiting();
    void settle_send(Operation& operation, Sent sent);
    Sent try_send(Operation& operation);
    Sent go_on(Operation& operation);
    Sent offer(Operation& operation, Route route);
    std::uint64_t bytes_that_come() const;
    std::optional<Sent> try_write(Operation& operation);
    const Record* take_request(Tag tag, std::uint64_t bytes);
    Sent send_in_blocks(Operation& operation, Record& record);
    Route route_of(const Operation& operation);
    bool is_best_in_blocks(const Operation& operation, std::uint32_t blocks);
    void publish_piece(Operation& operation, Record& record, Kind kind);
    void publish(Record& record, What what) {
        record.taken = fifo_.taken();
        annexes_untold_ = 0;
        out_->fifo.publish(what.word());
        has_written_ = true;
        touch();
    }
    void note_sent(Tag tag) { sent_tags_[unrequested_sent_++ % remembered] = tag; }
    void answer(Kind kind, const Record& record);
    void start_stream(const Record& pull);

    // peer_matching.cpp
    Operation* take_posted(Tag tag);
    void settle_wildcards(Operation& receive, Tag tag) const;
    void leave_request(Operation& operation);
    void withdraw_crossed(Tag tag, Operation& taker);

    // peer_receiving.cpp
    void take_all();
    bool take_expected(std::uint32_t word, const Record& record);
    void take(What what, const Record& record);
    void take_message(What what, const Record& record);
    void finish_small(Operation& operation, What what, const Record& record, const Annex& annex);
    void take_request_in(const Record& record);
    void finish_written(const Record& record);
    void learn_way(What what, const Record& record);
    Way way_of_large(Operation& operation, std::uint64_t bytes);
    void take_offer(Operation& operation, const Record& record);
    void finish_receive(Operation& operation);
    void note_room();
    void touch() {
        if (!is_touched_) [[unlikely]]
            join_touched();
    }
    void join_touched();

    // peer_pieces.cpp
    void begin_eager(Operation* receive, Arrival* arrival, What what, const Record& record);
    void take_piece(What what);
    void note_stream();
    void take_held(Operation& operation, Arrival& arrival);
    void choose_read(Coming& message);
    void note_read(const Coming& message);
    std::uint64_t take_out(const Coming& from, std::uint64_t place, std::uint32_t block);
    void copy_in(Operation& operation, const std::byte* from, std::uint64_t bytes,
                 ReadBy way = ReadBy::wide);
    void finish_block(std::uint32_t block, bool is_stream);
    std::byte* block_address(std::uint32_t block) const;

    // peer_sharing.cpp
    Remote write_blocks(Operation& operation, const Record& request, Share& share);
    void publish_share(Operation& operation, std::uint64_t id);
    Share share_of(Front& receiver, std::uint64_t request, std::uint64_t bytes) const;
    Range share_block(std::uint64_t block, std::uint64_t bytes) const;
    void copy_share(const Record& record);
    bool may_share();
    Remote try_reach(std::uint64_t address, const Operation& operation);
    bool may_read(std::uint64_t address, std::uint64_t bytes);
    [[noreturn]] void fail_share() const;

    Self& self_;
    std::int32_t rank_;
    Segment segment_;
    RecentWaits recent_waits_;
    bool is_talking_ = false;
    bool is_touched_ = false;
    bool has_written_ = false;
    bool has_made_room_ = false;
    bool awaits_board_ = false;
    bool is_denied_to_read_ = false;
    ReachedMemory written_;          // of the peer's memory, before it was told to help
    ReachedMemory read_;             // of the peer's memory, before we helped
    std::optional<bool> may_share_;  // whether it may copy at the same time

    // Both ways.
    Geometry geometry_;
    std::array<std::byte*, 2> block_bases_;  // of the lower rank's and of the higher's
    BlocksOf<Hardware> pool_;

    // To the peer.
    std::optional<Out> out_;        // since something was sent
    OperationList outgoing_;        // in order; the first may be half sent
    OperationList offered_;         // until they are read or pulled
    std::deque<Answer> answers_;    // for which there was no room
    std::list<Operation> orphans_;  // what was given up but must still be sent
    std::uint64_t eager_sent_ = 0;
    std::uint64_t eager_settled_ = 0;  // as last looked at
    std::vector<Record> requests_;     // that the peer has left here, in order
    Record taken_request_{};
    static constexpr std::uint64_t remembered = 32;
    std::array<Tag, remembered> sent_tags_{};  // of the last messages without a request
    std::uint64_t unrequested_sent_ = 0;
    /// Messages that might go straight, and go in blocks before it is known whether such are
    /// answered.
    std::uint32_t trials_left_ = 2;

    // From the peer.
    Box& in_;
    FifoReader<Hardware, Record> fifo_;
    OperationList posted_;         // receives, in order
    std::list<Arrival> arrivals_;  // in order
    std::list<Arrival> spare_;
    OperationList pulling_;  // receives whose stream comes
    Coming coming_;
    bool comes_in_blocks_ = false;      // the last message that might have come straight
    bool has_answered_ = false;         // such a one has come since one filled cold blocks
    std::uint64_t came_in_blocks_ = 0;  // bytes of the last such one that did
    FasterWayOfSizes<Way::by_blocks> cold_blocks_;
    bool is_chosen_by_pace_ = false;  // the last way
    /// Bytes that went straight because blocks have never been used. For as many as fill all blocks
    /// twice that takes about as long as to get their memory from the system (2.6 us a page where
    /// that is virtual): whoever sends no more pays at most twice.
    std::uint64_t passed_unused_ = 0;
    static constexpr std::uint64_t rounds_before_new = 2;
    /// Of what could be copied from buffer to buffer: whether it is, or is pulled.
    FasterWayOfSizes<Way::straight> streams_;
    static constexpr std::uint32_t streams_of_a_trial = 4;
    /// Of what is longer than near caches hold: how it is read out of blocks.
    FasterWayOfSizes<ReadBy::wide> reads_;
    static constexpr std::uint32_t reads_of_a_trial = 2;
    double seconds_of_share_ = 0;  // that the last copies for a request took here
    double stream_asked_ = 0;      // when the one that comes was, or the one before it had come
    double stream_began_ = 0;      // that we send
    std::uint64_t unrequested_taken_ = 0;
    std::uint32_t annexes_untold_ = 0;  // read since the peer was told, here or by a record
    std::uint64_t settled_ = 0;
    std::uint64_t settled_told_ = 0;
};

}  // namespace tasuki::memory

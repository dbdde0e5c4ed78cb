#include "transport/memory/endpoint.hpp"

#include <algorithm>
#include <sched.h>
#include <utility>

#include "transport/memory/remote_copy.hpp"

namespace tasuki::memory {

namespace {

/// Looks before a wait asks for the time: most waits of a lively exchange end before.
constexpr int looks_at_first = 64;
/// Looks between two questions for the time.
constexpr int looks_while_spinning = 16;
/// A sleeper wakes so often to see whether its peers still live. Seconds.
constexpr double longest_sleep = 1.0;

/// Tells the other ranks of the node that this one waits.
class SaysItWaits {
  public:
    SaysItWaits(Front& front, double since) : front_(front) {
        front.waiting_since.store(static_cast<std::uint64_t>(since * 1e9), Order::relaxed);
    }
    ~SaysItWaits() { front_.waiting_since.store(0, Order::relaxed); }
    SaysItWaits(const SaysItWaits&) = delete;
    SaysItWaits& operator=(const SaysItWaits&) = delete;

  private:
    Front& front_;
};

/// So that it is seen when the one that is waited for ends.
class AwaitsBoard {
  public:
    explicit AwaitsBoard(Peer& peer) : peer_(peer) { peer.await_board(true); }
    ~AwaitsBoard() { peer_.await_board(false); }
    AwaitsBoard(const AwaitsBoard&) = delete;
    AwaitsBoard& operator=(const AwaitsBoard&) = delete;

  private:
    Peer& peer_;
};

/// That want a core each, as far as is known.
double ranks_here(const std::vector<Card>& cards, const Settings& settings) {
    return std::max(static_cast<double>(cards.size()), static_cast<double>(settings.ranks_of_job));
}

}  // namespace

Endpoint::Endpoint(Segment segment, const std::vector<Card>& cards, std::int32_t rank,
                   const Settings& settings)
    : self_{.segment = std::move(segment),
            .rank = rank,
            .settings = settings,
            .remote_copies = settings.remote_copies && remote_copies_are_allowed(),
            .shares_copies = ranks_here(cards, settings) <= count_cores().present,
            .requests = RequestBook(self_.segment.front())},
      peers_(cards.size()),
      silent_(static_cast<std::int32_t>(cards.size()) - 1),
      talkers_(self_.segment.front().talkers.size()),
      waiting_(ranks_here(cards, settings), count_cores(), quick_yield_here()) {
    // At once, because an owner may have gone by the time that what it has sent is looked at.
    for (const Card& card : cards) segments_.emplace_back(Segment::attach(card));
}

Endpoint::~Endpoint() = default;

Peer& Endpoint::meet(std::int32_t rank) {
    peers_[rank] = std::make_unique<Peer>(self_, rank, std::move(*segments_[rank]));
    segments_[rank].reset();
    met_.push_back(peers_[rank].get());
    if (rank == self_.rank) peers_[rank]->start_talking();
    return *peers_[rank];
}

void Endpoint::meet_talkers() {
    const auto words = (peers_.size() + 63) / 64;
    for (std::size_t word = 0; word < words; ++word) {
        const std::uint64_t now = self_.segment.front().talkers[word].load(Order::acquire);
        if (now == talkers_[word]) continue;
        for (std::uint64_t fresh = now & ~talkers_[word]; fresh != 0; fresh &= fresh - 1) {
            const auto rank = static_cast<std::int32_t>(64 * word + std::countr_zero(fresh));
            peer(rank).start_talking();
            if (rank != self_.rank) --silent_;
        }
        talkers_[word] = now;
    }
}

/// What peers that sleep must hear of waits for ring_bells().
inline void Endpoint::look_around() {
    if (silent_ > 0) meet_talkers();
    // By index: a peer may be met meanwhile.
    for (std::size_t i = 0; i < met_.size(); ++i) met_[i]->progress();
}

void Endpoint::ring_touched() {
    Hardware::full_fence();
    for (Peer* const touched : self_.touched) touched->ring_if_needed();
    self_.touched.clear();
}

void Endpoint::progress() {
    look_around();
    ring_bells();
}

/// The first looks of a wait, with as little as can be between them; whether it is over.
template <typename IsOver>
inline bool Endpoint::comes_shortly(IsOver&& is_over) {
    const int looks = waiting_.is_crowded() ? 1 : looks_at_first;
    for (int look = 0; look < looks; ++look) {
        look_around();
        const bool over = is_over();
        if (over || look == looks_before_bells()) ring_bells();
        if (over) return true;
        relax();
    }
    return false;
}

float& Endpoint::usual_wait(const Operation& first) {
    RecentWaits& waits = first.peer == any_peer ? waits_for_any_ : peer(first.peer).recent_waits();
    return waits.usual(first.bytes);
}

void Endpoint::wait(const OperationList& finished, const Operation& first) {
    const auto is_over = [&] { return !finished.empty(); };
    if (!comes_shortly(is_over)) wait_until(is_over, usual_wait(first));
}

void Endpoint::wait(const std::function<bool()>& is_over, const Operation& first) {
    if (!comes_shortly(is_over)) wait_until(is_over, usual_wait(first));
}

void Endpoint::wait_for_board(std::int32_t rank, std::uint64_t bytes,
                              const std::function<bool()>& is_over) {
    if (comes_shortly(is_over)) return;
    Peer& awaited = peer(rank);
    const AwaitsBoard awaits(awaited);
    // The companion may end a wait.
    while (!is_over()) wait_until(is_over, awaited.recent_waits().usual(bytes));
}

void Endpoint::wait_for_companion() {
    const auto is_over = [this] { return companion_->progress(); };
    if (!comes_shortly(is_over)) wait_until(is_over, usual_of_companion_);
}

void Endpoint::flush() {
    const auto is_over = [this] {
        return std::none_of(met_.begin(), met_.end(),
                            [](const Peer* one) { return one->has_waiting(); });
    };
    float usual = 0;
    while (!is_over() && !comes_shortly(is_over)) wait_until(is_over, usual);
    // Where ranks share cores nobody is writing at the same time, and one look more may save to
    // leave the core in the next call.
    if (waiting_.is_crowded()) look_around();
    ring_bells();
}

template <typename IsOver>
void Endpoint::wait_until(IsOver&& is_over, float& usual) {
    ring_bells();
    const double began = last_asked_ = seconds_now();
    const SaysItWaits says(self_.segment.front(), began);
    double now = began;
    double asleep = 0;
    double last_check = now;
    waiting_.begin(now, usual);
    while (!is_over() && !companion_ends_wait(now)) {
        switch (waiting_.next(now)) {
            case Pause::spin: {
                for (int look = 0; look < looks_while_spinning && !is_over(); ++look) {
                    relax();
                    progress();
                }
                const double before = std::exchange(now, seconds_now());
                if (Waiting::is_long(now - before) && peers_were_busy(before, now)) {
                    waiting_.note_busy_peers(now);
                }
                break;
            }
            case Pause::yield: {
                sched_yield();
                const double before = std::exchange(now, seconds_now());
                if (Waiting::is_long(now - before) && peers_were_busy(before, now)) {
                    waiting_.note_busy_peers(now);
                } else {
                    waiting_.note_yield(now, now - before);
                }
                progress();
                break;
            }
            case Pause::sleep: {
                if (companion_ != nullptr && now < began + companion_->seconds_awake()) {
                    sched_yield();
                    now = seconds_now();
                    waiting_.note_slept_out(now);
                    progress();
                    break;
                }
                // A companion may have something for us while we sleep.
                const double most =
                    companion_ == nullptr ? longest_sleep : nap_seconds(now - began);
                sleep(is_over, most);
                const double before = std::exchange(now, seconds_now());
                asleep += now - before;
                ++self_.counters.sleeps;
                progress();
                if (is_over()) break;
                if (now - last_check > longest_sleep) {
                    last_check = now;
                    check_peers_live();
                }
                if (now - before < most) {
                    waiting_.note_wake(now);
                } else {
                    waiting_.note_slept_out(now);
                }
            }
        }
    }
    now = seconds_now();
    waiting_.end(now, usual);
    self_.counters.asleep_seconds += asleep;
    self_.counters.awake_seconds += now - began - asleep;
}

/// Whether some peer did not wait for all of the time, but for the beginning: it may have had the
/// core that this rank was off.
bool Endpoint::peers_were_busy(double from, double to) const {
    constexpr double beginning = 0.25;
    const double since = from + beginning * (to - from);
    for (std::int32_t rank = 0; rank < ranks(); ++rank) {
        if (rank == self_.rank) continue;
        const std::uint64_t waits = segment_of(rank).front().waiting_since.load(Order::relaxed);
        if (waits == 0 || static_cast<double>(waits) * 1e-9 > since) return true;
    }
    return false;
}

bool Endpoint::companion_ends_wait(double now) {
    if (companion_ == nullptr || now < last_asked_ + companion_->pause()) return false;
    last_asked_ = now;
    return companion_->progress();
}

template <typename IsOver>
void Endpoint::sleep(IsOver&& is_over, double seconds) {
    for (Peer* const one : met_) one->prepare_sleep();
    progress();  // rings the bells of those that were told of room
    const auto look = [&] {
        progress();
        // Who has come to wait for room only now has not told its peer, which would not ring.
        return is_over() || std::ranges::any_of(met_, &Peer::waits_untold);
    };
    self_.segment.front().bell.sleep(look, seconds);
    for (Peer* const one : met_) one->end_sleep();
}

void Endpoint::receive_of_any(Operation& operation) {
    if (const auto first = probe(operation)) {
        peers_[first->peer]->receive_arrival(operation);
        return;
    }
    operation.order = self_.posted_count++;
    self_.posted_to_any.push(operation);
}

std::optional<Envelope> Endpoint::probe(const Operation& receive) const {
    std::optional<Envelope> first;
    for (const Peer* const one : met_) {
        if (receive.peer != any_peer && peers_[receive.peer].get() != one) continue;
        const auto found = one->find_arrival(receive);
        if (found && (!first || found->order < first->order)) first = found;
    }
    return first;
}

bool Endpoint::cancel(Operation& receive) {
    if (receive.peer != any_peer) return peer(receive.peer).cancel(receive);
    const auto is_it = [&](const Operation& one) { return &one == &receive; };
    return self_.posted_to_any.take(is_it) != nullptr;
}

/// Throws PeerGone if what this rank waits for cannot come: of a receive of any peer, if nobody is
/// left.
void Endpoint::check_peers_live() const {
    for (const Peer* const one : met_) one->check_is_alive();
    if (self_.posted_to_any.empty()) return;
    for (std::int32_t rank = 0; rank < ranks(); ++rank) {
        if (rank != self_.rank && segment_of(rank).has_living_owner()) return;
    }
    throw PeerGone(
        "all other ranks of this node have ended while a message of any of them was "
        "waited for");
}

void Endpoint::abandon(const OperationList& finished) noexcept {
    const auto is_it = [&](const Operation& one) { return one.finished == &finished; };
    while (self_.posted_to_any.take(is_it) != nullptr) continue;
    for (Peer* const one : met_) one->abandon(finished);
}

}  // namespace tasuki::memory

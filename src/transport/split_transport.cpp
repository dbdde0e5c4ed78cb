#include "transport/split_transport.hpp"

#include "transport/silent_wait.hpp"

namespace tasuki {

namespace {

/// While nothing of ours goes outside, what the program itself has under way there must go on, but
/// nobody waits for it here. Seconds.
constexpr double pause_for_others = 100e-6;

}  // namespace

SplitTransport::SplitTransport(memory::Endpoint& endpoint, memory::MemoryTransport& inside,
                               Transport& outside, const Placement& placement, std::int32_t rank)
    : endpoint_(endpoint),
      inside_(inside),
      outside_(outside),
      placement_(placement),
      node_(placement.node_of(rank)) {
    endpoint.accompany(*this);
}

Message SplitTransport::on_node(Message message) const {
    message.peer = placement_.local_of(message.peer);
    return message;
}

void SplitTransport::begin_outside(const Message& message) {
    if (outside_in_flight_++ == 0) moving_outside_ = 0;
    const Buffer& buffer = *message.buffer;
    moving_outside_ +=
        static_cast<std::uint64_t>(buffer.bytes(buffer.units(message.first, message.count)));
}

void SplitTransport::start_send(const Message& message, StepId step) {
    if (is_inside(message)) return inside_.start_send(on_node(message), step);
    begin_outside(message);
    outside_.start_send(message, step);
}

void SplitTransport::start_recv(const Message& message, StepId step) {
    if (is_inside(message)) return inside_.start_recv(on_node(message), step);
    begin_outside(message);
    outside_.start_recv(message, step);
}

void SplitTransport::collect(Patience patience, std::vector<StepId>& completed) {
    if (outside_in_flight_ == 0) return inside_.collect(patience, completed);
    inside_.collect(Patience::poll, completed);
    outside_.collect(Patience::poll, from_outside_);
    while (patience == Patience::wait && completed.empty() && from_outside_.empty()) {
        // Peers on the node may want something even of one who waits for nothing there.
        if (inside_.is_idle()) {
            endpoint_.wait_for_companion();
        } else {
            inside_.collect_accompanied(completed);
        }
    }
    outside_in_flight_ -= from_outside_.size();
    completed.insert(completed.end(), from_outside_.begin(), from_outside_.end());
    from_outside_.clear();
}

void SplitTransport::wait_for_all() {
    while (outside_in_flight_ > 0) {
        dropped_.clear();
        collect(Patience::wait, dropped_);
    }
    inside_.wait_for_all();
}

void SplitTransport::abandon() noexcept {
    inside_.abandon();
    outside_.abandon();
    from_outside_.clear();
    outside_in_flight_ = 0;
}

bool SplitTransport::progress() {
    outside_.collect(Patience::poll, from_outside_);
    return !from_outside_.empty();
}

double SplitTransport::pause() const {
    return outside_in_flight_ > 0 ? 0 : pause_for_others;
}

double SplitTransport::seconds_awake() const {
    return outside_in_flight_ > 0 ? seconds_to_move(moving_outside_) : 0;
}

}  // namespace tasuki

#include "transport/memory/memory_transport.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace tasuki::memory {

namespace {

std::int64_t units_of(const Message& message) {
    return message.buffer->units(message.first, message.count);
}

void check_fits(const Message& message, std::uint64_t arrived, std::uint64_t bytes) {
    // A single chunk may meet one that holds any.
    const bool may_be_less = message.buffer->uneven != nullptr && message.count == 1;
    if (arrived == bytes || (may_be_less && arrived < bytes)) [[likely]]
        return;
    throw std::runtime_error("a message of " + std::to_string(arrived) +
                             " bytes met a receive of " + std::to_string(bytes));
}

}  // namespace

MemoryTransport::MemoryTransport(Endpoint& endpoint, std::vector<std::int32_t> ranks,
                                 std::uint32_t context)
    : endpoint_(endpoint), ranks_(std::move(ranks)), context_(std::uint64_t{context} << 32) {}

MemoryTransport::~MemoryTransport() {
    MemoryTransport::abandon();
}

MemoryTransport::Flight& MemoryTransport::begin(const Message& message, StepId step,
                                                bool is_receive) {
    if (spare_.empty()) spare_.push_back(&flights_.emplace_back());
    Flight& flight = *spare_.back();
    spare_.pop_back();
    flight.message = message;
    flight.step = step;
    flight.is_receive = is_receive;
    flight.place = static_cast<std::uint32_t>(in_flight_.size());
    in_flight_.push_back(&flight);

    const Buffer& buffer = *message.buffer;
    Operation& operation = flight.operation;
    operation.reset();
    operation.peer = ranks_[message.peer];
    operation.tag = tag_of(message);
    operation.bytes = static_cast<std::uint64_t>(buffer.bytes(units_of(message)));
    operation.address = operation.bytes == 0 ? nullptr : buffer.address(message.first);
    operation.finished = &finished_;
    operation.user = reinterpret_cast<std::uintptr_t>(&flight);
    if (buffer.type != nullptr && operation.bytes > 0) {
        need_room(flight.packed, operation.bytes);
        operation.address = flight.packed.memory.get();
    }
    return flight;
}

void MemoryTransport::need_room(Room& room, std::size_t bytes) {
    if (room.bytes >= bytes) return;
    kept_bytes_ -= std::exchange(room.bytes, 0);
    room.memory = std::make_unique_for_overwrite<std::byte[]>(bytes);
    room.bytes = bytes;
    kept_bytes_ += bytes;
}

/// For the next message.
void MemoryTransport::set_aside(Flight& flight) {
    if (kept_bytes_ > most_kept) {
        kept_bytes_ -= flight.packed.bytes;
        flight.packed = {};
    }
    spare_.push_back(&flight);
}

void MemoryTransport::start_send(const Message& message, StepId step) {
    if (send_now(message)) {
        at_once_.push_back(step);
        return;
    }
    Flight& flight = begin(message, step, false);
    const Buffer& buffer = *message.buffer;
    if (buffer.type != nullptr && flight.operation.bytes > 0) {
        buffer.type->pack(buffer.address(message.first), units_of(message) * buffer.chunk_elements,
                          flight.packed.memory.get());
        endpoint_.count_copied(flight.operation.bytes);
    }
    endpoint_.send(flight.operation);
}

/// A short message needs nothing that is kept until it has gone, unless it must be packed.
bool MemoryTransport::send_now(const Message& message) {
    const Buffer& buffer = *message.buffer;
    if (buffer.type != nullptr) return false;
    const auto bytes = static_cast<std::uint64_t>(buffer.bytes(units_of(message)));
    return bytes > 0 && endpoint_.send_now(ranks_[message.peer], tag_of(message),
                                           buffer.address(message.first), bytes);
}

void MemoryTransport::start_recv(const Message& message, StepId step) {
    const Buffer& buffer = *message.buffer;
    const auto bytes = static_cast<std::uint64_t>(buffer.bytes(units_of(message)));
    if (buffer.type == nullptr && bytes > 0 && bytes <= small_bytes) {
        expected_.push_back({message, step, bytes});
        return;
    }
    post_expected();
    endpoint_.receive(begin(message, step, true).operation);
}

/// The next that is expected, if it comes soon; else the endpoint is told of all of them.
bool MemoryTransport::receive_expected() {
    const Expected& next = expected_[first_expected_];
    const Message& message = next.message;
    const auto came = endpoint_.receive_now(ranks_[message.peer], tag_of(message),
                                            message.buffer->address(message.first), next.bytes);
    if (!came) {
        post_expected();
        return false;
    }
    check_fits(message, *came, next.bytes);
    at_once_.push_back(next.step);
    if (++first_expected_ == expected_.size()) {
        expected_.clear();
        first_expected_ = 0;
    }
    return true;
}

void MemoryTransport::post_expected() {
    for (; first_expected_ < expected_.size(); ++first_expected_) {
        const Expected& next = expected_[first_expected_];
        endpoint_.receive(begin(next.message, next.step, true).operation);
    }
    expected_.clear();
    first_expected_ = 0;
}

StepId MemoryTransport::end(Operation& operation) {
    Flight& flight = *reinterpret_cast<Flight*>(operation.user);  // NOLINT: put there by begin()
    in_flight_[flight.place] = in_flight_.back();
    in_flight_[flight.place]->place = flight.place;
    in_flight_.pop_back();
    const Message& message = flight.message;
    const Buffer& buffer = *message.buffer;
    if (!flight.is_receive) {
        set_aside(flight);
        return flight.step;
    }
    check_fits(message, operation.arrived, operation.bytes);
    if (buffer.type != nullptr && operation.arrived > 0) {
        const auto units = static_cast<std::int64_t>(operation.arrived) / buffer.chunk_bytes;
        buffer.type->unpack(flight.packed.memory.get(), buffer.address(message.first),
                            units * buffer.chunk_elements);
        endpoint_.count_copied(operation.arrived);
    }
    set_aside(flight);
    return flight.step;
}

void MemoryTransport::wait() {
    if (!at_once_.empty()) {
        // What is expected is looked for when there is nothing else to do.
        if (expected_.empty()) endpoint_.ring_bells();
        return;
    }
    if (!expected_.empty() && receive_expected()) return;
    endpoint_.wait(finished_, in_flight_.front()->operation);
}

void MemoryTransport::take_finished(std::vector<StepId>& completed) {
    completed.insert(completed.end(), at_once_.begin(), at_once_.end());
    at_once_.clear();
    while (Operation* const operation = finished_.pop()) completed.push_back(end(*operation));
}

void MemoryTransport::collect(Patience patience, std::vector<StepId>& completed) {
    if (patience == Patience::poll) {
        post_expected();
        endpoint_.progress();
    } else {
        do wait();
        while (finished_.empty() && at_once_.empty());
    }
    take_finished(completed);
}

void MemoryTransport::collect_accompanied(std::vector<StepId>& completed) {
    wait();
    take_finished(completed);
}

void MemoryTransport::wait_for_all() {
    while (!expected_.empty() && receive_expected()) continue;
    at_once_.clear();
    const auto is_over = [this] {
        while (Operation* const operation = finished_.pop()) end(*operation);
        return in_flight_.empty();
    };
    while (!in_flight_.empty()) endpoint_.wait(is_over, in_flight_.front()->operation);
    // Answers that wait for room: nobody may call us again for long.
    endpoint_.flush();
}

void MemoryTransport::abandon() noexcept {
    at_once_.clear();
    expected_.clear();
    first_expected_ = 0;
    if (in_flight_.empty()) return;
    endpoint_.abandon(finished_);
    while (finished_.pop() != nullptr) continue;
    for (Flight* const flight : in_flight_) set_aside(*flight);
    in_flight_.clear();
}

}  // namespace tasuki::memory

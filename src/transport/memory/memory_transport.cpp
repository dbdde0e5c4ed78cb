#include "transport/memory/memory_transport.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace tasuki::memory {

namespace {

std::int64_t units_of(const Message& message) {
    return message.buffer->units(message.first, message.count);
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
        flight.packed.resize(operation.bytes);
        operation.address = flight.packed.data();
    }
    return flight;
}

void MemoryTransport::start_send(const Message& message, StepId step) {
    if (send_now(message)) {
        sent_.push_back(step);
        return;
    }
    Flight& flight = begin(message, step, false);
    const Buffer& buffer = *message.buffer;
    if (buffer.type != nullptr && flight.operation.bytes > 0) {
        buffer.type->pack(buffer.address(message.first), units_of(message) * buffer.chunk_elements,
                          flight.packed.data());
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
    endpoint_.receive(begin(message, step, true).operation);
}

StepId MemoryTransport::end(Operation& operation) {
    Flight& flight = *reinterpret_cast<Flight*>(operation.user);  // NOLINT: put there by begin()
    in_flight_[flight.place] = in_flight_.back();
    in_flight_[flight.place]->place = flight.place;
    in_flight_.pop_back();
    spare_.push_back(&flight);
    if (!flight.is_receive) return flight.step;
    const Message& message = flight.message;
    const Buffer& buffer = *message.buffer;
    // A single chunk may meet one that holds any.
    const bool fits =
        operation.arrived == operation.bytes ||
        (buffer.uneven != nullptr && message.count == 1 && operation.arrived < operation.bytes);
    if (!fits) {
        throw std::runtime_error("a message of " + std::to_string(operation.arrived) +
                                 " bytes met a receive of " + std::to_string(operation.bytes));
    }
    if (buffer.type != nullptr && operation.arrived > 0) {
        const auto units = static_cast<std::int64_t>(operation.arrived) / buffer.chunk_bytes;
        buffer.type->unpack(flight.packed.data(), buffer.address(message.first),
                            units * buffer.chunk_elements);
        endpoint_.count_copied(operation.arrived);
    }
    return flight.step;
}

void MemoryTransport::wait() {
    if (!sent_.empty()) return endpoint_.progress();
    endpoint_.wait(finished_, in_flight_.front()->operation);
}

void MemoryTransport::take_finished(std::vector<StepId>& completed) {
    completed.insert(completed.end(), sent_.begin(), sent_.end());
    sent_.clear();
    while (Operation* const operation = finished_.pop()) completed.push_back(end(*operation));
}

void MemoryTransport::collect(Patience patience, std::vector<StepId>& completed) {
    if (patience == Patience::poll) {
        endpoint_.progress();
    } else {
        do wait();
        while (finished_.empty() && sent_.empty());
    }
    take_finished(completed);
}

void MemoryTransport::collect_accompanied(std::vector<StepId>& completed) {
    wait();
    take_finished(completed);
}

void MemoryTransport::wait_for_all() {
    sent_.clear();
    const auto is_over = [this] {
        while (Operation* const operation = finished_.pop()) end(*operation);
        return in_flight_.empty();
    };
    while (!in_flight_.empty()) endpoint_.wait(is_over, in_flight_.front()->operation);
    // Answers that wait for room: nobody may call us again for long.
    endpoint_.flush();
}

void MemoryTransport::abandon() noexcept {
    sent_.clear();
    if (in_flight_.empty()) return;
    endpoint_.abandon(finished_);
    while (finished_.pop() != nullptr) continue;
    for (Flight* const flight : in_flight_) spare_.push_back(flight);
    in_flight_.clear();
}

}  // namespace tasuki::memory

// The ways that memory_transport.cpp times: a flag and a copy, and the memory transport.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <sched.h>
#include <vector>

#include "stream.h"
#include "transport/memory/endpoint.hpp"

/// One rank's side of its pair.
struct Pair {
    int rank = 0;
    int partner = 0;
    bool begins = false;
    bool passes_on = false;
    std::vector<char> outgoing{};
    std::vector<char> incoming{};
    std::vector<char> stream{};  ///< the messages of a window, sent or received
    int window = 0;

    void make_messages(std::size_t bytes) {
        outgoing.assign(bytes, 0);
        incoming.assign(bytes, 0);
        window = stream_window(bytes);
        stream.assign(window * bytes, 0);
    }
    std::size_t bytes() const { return outgoing.size(); }
    char* streamed(int message) { return stream.data() + message * bytes(); }
    /// What has come is what is sent next.
    void pass_on() {
        if (passes_on) outgoing.swap(incoming);
    }
};

/// What a rank has sent, and copied for it or for what it received. Nothing where a way does not
/// count.
struct Carried {
    std::uint64_t bytes = 0;
    std::uint64_t copied_bytes = 0;
};

struct alignas(64) FloorFlag {
    std::atomic<std::uint64_t> value;
    std::byte small[48];
};

/// A flag and a copy: short messages lie beside the flag, others, and streams, in a buffer of the
/// receiver's.
class Floor {
  public:
    Floor(Pair& pair, FloorFlag* flags, std::byte* buffers, std::size_t buffer_bytes)
        : pair_(pair),
          out_flag_(flags[pair.partner]),
          in_flag_(flags[pair.rank]),
          out_(buffers + pair.partner * buffer_bytes),
          in_(buffers + pair.rank * buffer_bytes) {}

    void send() {
        const std::size_t bytes = pair_.outgoing.size();
        std::memcpy(bytes <= sizeof out_flag_.small ? out_flag_.small : out_, pair_.outgoing.data(),
                    bytes);
        tell();
    }
    void receive() {
        await();
        const std::size_t bytes = pair_.incoming.size();
        std::memcpy(pair_.incoming.data(), bytes <= sizeof in_flag_.small ? in_flag_.small : in_,
                    bytes);
    }
    void finish_send() {}
    void end_turns() {}

    void send_window() {
        for (int message = 0; message < pair_.window; ++message) {
            std::memcpy(out_ + message * stride(), pair_.streamed(message), pair_.bytes());
            tell();
        }
        await();
    }
    void receive_window() {
        for (int message = 0; message < pair_.window; ++message) {
            await();
            std::memcpy(pair_.streamed(message), in_ + message * stride(), pair_.bytes());
        }
        tell();
    }

    static Carried carried() { return {}; }

  private:
    /// Whole cache lines: two messages never share one.
    std::size_t stride() const { return (pair_.bytes() + 63) / 64 * 64; }
    void tell() { out_flag_.value.store(++sent_, std::memory_order_release); }
    void await() {
        ++received_;
        for (int look = 0; in_flag_.value.load(std::memory_order_acquire) < received_; ++look) {
            tasuki::memory::relax();
            if (look > 1000) sched_yield();
        }
    }

    Pair& pair_;
    FloorFlag& out_flag_;
    FloorFlag& in_flag_;
    std::byte* out_;
    std::byte* in_;
    std::uint64_t sent_ = 0;
    std::uint64_t received_ = 0;
};

class Transport {
  public:
    Transport(Pair& pair, tasuki::memory::Endpoint& endpoint) : pair_(pair), endpoint_(endpoint) {}

    void send() { is_sent_ = start(send_, pair_.outgoing.data(), pair_.bytes(), sent_); }
    void receive() { receive(pair_.incoming.data(), pair_.bytes()); }
    void finish_send() {
        if (!is_sent_) wait(sent_, send_);
    }
    /// What was sent last reaches a partner that sleeps.
    void end_turns() { endpoint_.progress(); }

    void send_window() {
        const Operation* last = nullptr;
        int under_way = 0;
        for (int message = 0; message < pair_.window; ++message) {
            Operation& operation = window_[message];
            if (start(operation, pair_.streamed(message), pair_.bytes(), sent_)) continue;
            last = &operation;
            ++under_way;
        }
        for (; under_way > 0; --under_way) wait(sent_, *last);
        receive(answer_.data(), answer_.size());
    }
    void receive_window() {
        for (int message = 0; message < pair_.window; ++message) {
            prepare(window_[message], pair_.streamed(message), pair_.bytes(), received_);
            endpoint_.receive(window_[message]);
        }
        for (int left = pair_.window; left > 0; --left) wait(received_, window_[0]);
        if (!start(send_, answer_.data(), answer_.size(), sent_)) wait(sent_, send_);
    }

    Carried carried() const {
        const tasuki::memory::Counters& counters = endpoint_.counters();
        Carried found{.copied_bytes = counters.copied_bytes};
        for (const std::uint64_t bytes : counters.bytes) found.bytes += bytes;
        return found;
    }

  private:
    using Operation = tasuki::memory::Operation;
    using OperationList = tasuki::memory::OperationList;
    static constexpr tasuki::memory::Tag tag = 0;

    static std::byte* address_of(char* bytes) { return reinterpret_cast<std::byte*>(bytes); }
    /// Whether it was sent at once, without the operation.
    bool start(Operation& operation, char* message, std::size_t bytes, OperationList& finished) {
        if (endpoint_.send_now(pair_.partner, tag, address_of(message), bytes)) return true;
        prepare(operation, message, bytes, finished);
        endpoint_.send(operation);
        return false;
    }
    void receive(char* message, std::size_t bytes) {
        if (endpoint_.receive_now(pair_.partner, tag, address_of(message), bytes)) return;
        prepare(receive_, message, bytes, received_);
        endpoint_.receive(receive_);
        wait(received_, receive_);
    }
    void prepare(Operation& operation, char* message, std::size_t bytes, OperationList& finished) {
        operation.reset();
        operation.peer = pair_.partner;
        operation.tag = tag;
        operation.address = address_of(message);
        operation.bytes = bytes;
        operation.finished = &finished;
    }
    /// Until one has finished, whichever it is.
    void wait(OperationList& finished, const Operation& operation) {
        if (finished.empty()) endpoint_.wait(finished, operation);
        finished.pop();
    }

    Pair& pair_;
    tasuki::memory::Endpoint& endpoint_;
    Operation send_;
    Operation receive_;
    std::array<Operation, STREAM_MOST_MESSAGES> window_{};
    std::array<char, 8> answer_{};
    bool is_sent_ = false;
    OperationList sent_;
    OperationList received_;
};

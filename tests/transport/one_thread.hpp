// Ranks that meet in memory, all played by one thread, so that a test says who comes first.
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

#include "transport/memory/endpoint.hpp"

namespace tasuki::test {

/// A message or a receive with its memory.
struct Transfer {
    memory::Operation operation;
    memory::OperationList finished;
    std::vector<std::byte> bytes;

    bool is_done() const { return !finished.empty(); }
};

/// Bytes that tell which message they are of.
inline std::vector<std::byte> content(std::size_t bytes, unsigned number) {
    std::vector<std::byte> made(bytes);
    for (std::size_t i = 0; i < bytes; ++i) {
        made[i] = static_cast<std::byte>((i * 7 + i / 251 + number * 31) & 0xff);
    }
    return made;
}

class OneThread {
  public:
    explicit OneThread(std::int32_t ranks, memory::Settings settings = {}) {
        const auto geometry = memory::Geometry::within(settings.memory_limit, ranks);
        std::vector<memory::Segment> segments;
        std::vector<memory::Card> cards;
        for (std::int32_t rank = 0; rank < ranks; ++rank) {
            segments.push_back(memory::Segment::create(geometry));
            cards.push_back(segments.back().card());
        }
        for (std::int32_t rank = 0; rank < ranks; ++rank) {
            endpoints_.push_back(std::make_unique<memory::Endpoint>(std::move(segments[rank]),
                                                                    cards, rank, settings));
        }
    }

    memory::Endpoint& operator[](std::int32_t rank) { return *endpoints_[rank]; }

    Transfer& send(std::int32_t from, std::int32_t to, memory::Tag tag,
                   std::vector<std::byte> bytes) {
        Transfer& made = transfer(to, tag, std::move(bytes));
        endpoints_[from]->send(made.operation);
        return made;
    }

    /// It is not done before its receive takes it.
    Transfer& send_synchronously(std::int32_t from, std::int32_t to, memory::Tag tag,
                                 std::vector<std::byte> bytes) {
        Transfer& made = transfer(to, tag, std::move(bytes));
        made.operation.is_synchronous = true;
        endpoints_[from]->send(made.operation);
        return made;
    }

    Transfer& receive(std::int32_t from, std::int32_t to, memory::Tag tag, std::size_t bytes,
                      memory::Tag ignored = 0) {
        Transfer& made = transfer(from, tag, std::vector<std::byte>(bytes, std::byte{0xEE}));
        made.operation.ignored = ignored;
        endpoints_[to]->receive(made.operation);
        return made;
    }

    /// Every rank makes progress, so many times.
    void progress(int times = 8) {
        for (int time = 0; time < times; ++time) {
            for (const auto& endpoint : endpoints_) endpoint->progress();
        }
    }

    std::uint64_t copied_bytes() const {
        std::uint64_t sum = 0;
        for (const auto& endpoint : endpoints_) sum += endpoint->counters().copied_bytes;
        return sum;
    }
    /// How many messages rank `rank` has sent by a path.
    std::uint64_t sent(std::int32_t rank, memory::Path path) const {
        return endpoints_[rank]->counters().messages[static_cast<std::size_t>(path)];
    }

  private:
    Transfer& transfer(std::int32_t peer, memory::Tag tag, std::vector<std::byte> bytes) {
        Transfer& made = transfers_.emplace_back();
        made.bytes = std::move(bytes);
        made.operation.peer = peer;
        made.operation.tag = tag;
        made.operation.address = made.bytes.data();
        made.operation.bytes = made.bytes.size();
        made.operation.finished = &made.finished;
        return made;
    }

    std::deque<Transfer> transfers_;
    std::vector<std::unique_ptr<memory::Endpoint>> endpoints_;
};

/// A message of rank 0 to rank 1, whose receive is called before or after its send.
inline void send_in_order(OneThread& ranks, std::size_t bytes, bool receiver_first) {
    if (receiver_first) ranks.receive(0, 1, 7, bytes);
    ranks.progress();
    ranks.send(0, 1, 7, content(bytes, 1));
    ranks.progress();
    if (!receiver_first) ranks.receive(0, 1, 7, bytes);
    ranks.progress(100);
}

}  // namespace tasuki::test

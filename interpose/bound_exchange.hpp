// A program without dependencies, bound to plain buffers: calls of MPI with ready arguments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "execute/step_machine.hpp"
#include "interpose/call_tags.hpp"
#include "transport/host/check.hpp"
#include "transport/host/host_transport.hpp"
#include "transport/host/mpi_header.hpp"
#include "transport/host/wait_for_requests.hpp"

namespace tasuki::interpose {

/// What an application's loop repeats with the same buffers. Nothing is left to decide: it makes
/// the calls that a person would write by hand for these buffers.
///
/// Memory: 48 bytes a message, and where the host is quicker with them CallTags::rounds
/// persistent requests for each of up to `most_persistent` messages; as long as the buffers stay
/// the same.
class BoundExchange {
  public:
    static constexpr std::size_t most_persistent = 16;

    /// Whether of() is worth asking: no step waits for others.
    static bool may_be_of(const Program& program) { return program.after_steps.empty(); }
    /// None where something is left to decide: steps that wait for others, scattered regions, types
    /// with gaps, counts that are no int.
    static std::optional<BoundExchange> of(const Program& program, const Binding& binding);

    BoundExchange(BoundExchange&&) = default;
    BoundExchange& operator=(BoundExchange&&) = delete;
    /// Before the communicator that it ran on is freed.
    ~BoundExchange() { free_persistent(); }

    /// Throws TransportError, when no receive is under way any more.
    void run(MPI_Comm communicator, CallTags tags);

    // In each run:
    std::uint64_t sent_messages() const { return sent_messages_; }
    std::uint64_t sent_bytes() const { return sent_bytes_; }

  private:
    BoundExchange() = default;
    /// A message, or a copy from one place to another. Side by side, because between two calls the
    /// data of the first one has driven everything else out of the fastest cache.
    struct Move {
        std::byte* address;
        const std::byte* copied_from;
        int bytes;
        int peer;
        int message;
        bool is_send;
    };

    [[gnu::always_inline]] inline void start_all(MPI_Comm communicator, CallTags tags);
    [[gnu::always_inline]] inline void copy_all(const Move* move);
    [[gnu::always_inline]] inline void run_persistent(MPI_Request* requests);
    void prepare_for_later(MPI_Comm communicator, CallTags tags);
    void free_persistent() noexcept;
    void abandon() noexcept;

    std::vector<Move> moves_;            // messages, then copies
    std::vector<MPI_Request> requests_;  // of the messages, but for a last one without
    /// [round * messages + message], MPI_REQUEST_NULL where none is made yet; empty at first.
    std::vector<MPI_Request> persistent_;
    MPI_Request* under_way_ = nullptr;  // of these two
    std::size_t started_ = 0;           // so many
    std::uint32_t runs_ = 0;
    std::uint64_t sent_messages_ = 0;
    std::uint64_t sent_bytes_ = 0;
    std::uint64_t moving_bytes_ = 0;  // both ways
    bool may_be_persistent_ = false;
    bool ends_without_request_ = false;
};

inline void BoundExchange::copy_all(const Move* move) {
    for (const Move* const end = moves_.data() + moves_.size(); move != end; ++move) {
        std::memcpy(move->address, move->copied_from, static_cast<std::size_t>(move->bytes));
    }
}

inline void BoundExchange::start_all(MPI_Comm communicator, CallTags tags) {
    const Move* move = moves_.data();
    for (; started_ < requests_.size(); ++started_, ++move) {
        const int tag = (tags.first() + move->message) % host::HostTransport::tags;
        MPI_Request* const request = &requests_[started_];
        host::check(move->is_send ? PMPI_Isend(move->address, move->bytes, MPI_PACKED, move->peer,
                                               tag, communicator, request)
                                  : PMPI_Irecv(move->address, move->bytes, MPI_PACKED, move->peer,
                                               tag, communicator, request));
    }
    if (ends_without_request_) {
        const int tag = (tags.first() + move->message) % host::HostTransport::tags;
        host::check(
            PMPI_Send(move->address, move->bytes, MPI_PACKED, move->peer, tag, communicator));
        ++move;
    }
    copy_all(move);
}

inline void BoundExchange::run_persistent(MPI_Request* requests) {
    under_way_ = requests;
    started_ = requests_.size();
    const auto messages = static_cast<int>(started_);
    host::check(PMPI_Startall(messages, requests));
    copy_all(moves_.data() + messages);
    host::wait_for_requests(messages, requests, moving_bytes_);
}

[[gnu::always_inline]] inline void BoundExchange::run(MPI_Comm communicator, CallTags tags) {
    try {
        if (!persistent_.empty()) {
            MPI_Request* const requests = &persistent_[tags.round * requests_.size()];
            if (*requests != MPI_REQUEST_NULL) [[likely]] {
                run_persistent(requests);
                return;
            }
        }
        under_way_ = requests_.data();
        started_ = 0;
        start_all(communicator, tags);
        if (started_ > 0) {
            host::wait_for_requests(static_cast<int>(started_), requests_.data(), moving_bytes_);
        }
        if (may_be_persistent_) prepare_for_later(communicator, tags);
    } catch (...) {
        abandon();
        throw;
    }
}

}  // namespace tasuki::interpose

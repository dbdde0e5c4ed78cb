// A program without dependencies, bound to plain buffers: calls of MPI with ready arguments.
#pragma once

#include <cstddef>
#include <cstring>
#include <optional>
#include <vector>

#include "execute/step_machine.hpp"
#include "transport/host/check.hpp"
#include "transport/host/host_transport.hpp"
#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

/// What an application's loop repeats with the same buffers. Nothing is left to decide: it makes
/// the calls that a person would write by hand for these buffers.
///
/// Memory: 48 bytes a message, as long as the buffers stay the same.
class BoundExchange {
  public:
    /// None where something is left to decide: steps that wait for others, scattered regions, types
    /// with gaps, counts that are no int.
    static std::optional<BoundExchange> of(const Program& program, const Binding& binding);

    /// `first_tag` as in Binding. Throws TransportError, when no receive is under way any more.
    void run(MPI_Comm communicator, std::int32_t first_tag);

  private:
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

    [[gnu::always_inline]] inline void start_all(MPI_Comm communicator, std::int32_t first_tag);
    void abandon() noexcept;

    std::vector<Move> moves_;            // messages, then copies
    std::vector<MPI_Request> requests_;  // of the messages, but for a last one without
    bool ends_without_request_ = false;
    std::size_t started_ = 0;
};

inline void BoundExchange::start_all(MPI_Comm communicator, std::int32_t first_tag) {
    const Move* move = moves_.data();
    for (; started_ < requests_.size(); ++started_, ++move) {
        const int tag = (first_tag + move->message) % host::HostTransport::tags;
        MPI_Request* const request = &requests_[started_];
        host::check(move->is_send ? PMPI_Isend(move->address, move->bytes, MPI_PACKED, move->peer,
                                               tag, communicator, request)
                                  : PMPI_Irecv(move->address, move->bytes, MPI_PACKED, move->peer,
                                               tag, communicator, request));
    }
    if (ends_without_request_) {
        const int tag = (first_tag + move->message) % host::HostTransport::tags;
        host::check(
            PMPI_Send(move->address, move->bytes, MPI_PACKED, move->peer, tag, communicator));
        ++move;
    }
    for (const Move* const end = moves_.data() + moves_.size(); move != end; ++move) {
        std::memcpy(move->address, move->copied_from, static_cast<std::size_t>(move->bytes));
    }
}

[[gnu::always_inline]] inline void BoundExchange::run(MPI_Comm communicator,
                                                      std::int32_t first_tag) {
    started_ = 0;
    try {
        start_all(communicator, first_tag);
        if (started_ > 0) {
            host::check(
                PMPI_Waitall(static_cast<int>(started_), requests_.data(), MPI_STATUSES_IGNORE));
        }
    } catch (...) {
        abandon();
        throw;
    }
}

}  // namespace tasuki::interpose

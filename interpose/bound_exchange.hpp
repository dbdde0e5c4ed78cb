// A program without dependencies, bound to plain buffers: calls of MPI with ready arguments.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "execute/step_machine.hpp"
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

    void start_all(MPI_Comm communicator, std::int32_t first_tag);
    void abandon() noexcept;

    std::vector<Move> moves_;            // [first send, receives, other sends, copies]
    std::vector<MPI_Request> requests_;  // as far as moves_ are messages
    std::size_t started_ = 0;
};

}  // namespace tasuki::interpose

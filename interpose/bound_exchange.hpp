// A program without dependencies, bound to plain buffers: calls of MPI with ready arguments.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "execute/step_machine.hpp"
#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

/// What an application's loop repeats with the same buffers. Nothing is left to decide: it makes
/// the calls that a person would write by hand for these buffers, in the order of the program.
///
/// Memory: 32 bytes a message, as long as the buffers stay the same.
class BoundExchange {
  public:
    /// None where something is left to decide: steps that wait for others, scattered regions, types
    /// with gaps, counts that are no int.
    static std::optional<BoundExchange> of(const Program& program, const Binding& binding);

    /// Throws TransportError, when no receive is under way any more.
    void run(MPI_Comm communicator, std::int32_t first_tag);

  private:
    struct Message {
        std::byte* address;
        int bytes;
        int peer;
        int number;
    };
    struct Copy {
        const std::byte* from;
        std::byte* to;
        std::size_t bytes;
    };

    void start_all(MPI_Comm communicator, std::int32_t first_tag);
    void abandon() noexcept;

    std::vector<Message> receives_;
    std::vector<Message> sends_;
    std::vector<Copy> copies_;
    std::vector<MPI_Request> requests_;  // [receives, then sends]
    std::size_t started_ = 0;
};

}  // namespace tasuki::interpose

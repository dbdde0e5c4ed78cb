// Messages over the host MPI's point-to-point calls.
#pragma once

#include <vector>

#include "transport/host/mpi_header.hpp"
#include "transport/transport.hpp"

namespace tasuki::host {

/// Carries messages on one communicator that nobody else uses, whose errors return.
///
/// Contiguous bytes travel as MPI_PACKED, which matches any type on the other side; buffers with an
/// element type are given to the host as they are.
///
/// Memory: about 40 bytes for each message that is in flight at the same time; between executions
/// that of `most_kept` messages at the most.
class HostTransport : public Transport {
  public:
    explicit HostTransport(MPI_Comm communicator) : communicator_(communicator) {}

    void start_send(const Message& message, StepId step) override;
    void start_recv(const Message& message, StepId step) override;
    void collect(Patience patience, std::vector<StepId>& completed) override;
    void collect_all(std::vector<StepId>& completed) override;
    void abandon() noexcept override;

  private:
    static constexpr std::size_t most_kept = 1024;

    struct InFlight {
        StepId step;
        bool is_receive;
    };

    template <typename Start>
    void start(const Message& message, InFlight what, Start&& call);
    void drop_completed(int count, std::vector<StepId>& completed);
    void clear();

    MPI_Comm communicator_;
    std::vector<MPI_Request> requests_;
    std::vector<InFlight> in_flight_;  // [request]
    std::vector<int> indices_;
    std::vector<MPI_Status> statuses_;
};

}  // namespace tasuki::host

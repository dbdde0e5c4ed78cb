// Messages over the host MPI's point-to-point calls.
#pragma once

#include <climits>
#include <cstdint>
#include <vector>

#include "transport/host/check.hpp"
#include "transport/host/datatype.hpp"
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
class HostTransport final : public Transport {
  public:
    /// Every host has tags up to 32767. Larger numbers may share one, because messages of equal tag
    /// between a pair keep their order.
    static constexpr std::int32_t tags = 32768;

    explicit HostTransport(MPI_Comm communicator) : communicator_(communicator) {}

    void start_send(const Message& message, StepId step) override {
        start(message, {step, false}, PMPI_Isend);
    }
    void start_recv(const Message& message, StepId step) override {
        start(message, {step, true}, PMPI_Irecv);
    }
    /// With nothing in flight it still lets the host move what the program has under way.
    void collect(Patience patience, std::vector<StepId>& completed) override;
    void wait_for_all() override;
    void abandon() noexcept override;

    /// What this rank has sent so far.
    std::uint64_t sent_messages() const { return sent_messages_; }
    std::uint64_t sent_bytes() const { return sent_bytes_; }

  private:
    static constexpr std::size_t most_kept = 1024;

    struct InFlight {
        StepId step;
        bool is_receive;
    };

    template <typename Start>
    void start(const Message& message, InFlight what, Start&& call);
    void make_progress();
    void drop_completed(int count, std::vector<StepId>& completed);
    void clear() {
        moving_bytes_ = 0;
        requests_.clear();
        in_flight_.clear();
        if (requests_.capacity() > most_kept) [[unlikely]]
            release();
    }
    void release();

    MPI_Comm communicator_;
    std::vector<MPI_Request> requests_;
    std::vector<InFlight> in_flight_;  // [request]
    std::vector<int> indices_;
    std::vector<MPI_Status> statuses_;
    std::uint64_t moving_bytes_ = 0;  // of messages since none was in flight
    std::uint64_t sent_messages_ = 0;
    std::uint64_t sent_bytes_ = 0;
};

template <typename Start>
void HostTransport::start(const Message& message, InFlight what, Start&& call) {
    const Buffer& buffer = *message.buffer;
    const bool is_plain = buffer.type == nullptr;
    const std::int64_t units = buffer.units(message.first, message.count);
    const MPI_Count count = is_plain ? buffer.bytes(units) : units * buffer.chunk_elements;
    const MPI_Datatype type =
        is_plain ? MPI_PACKED : static_cast<const HostElementType*>(buffer.type)->type();
    void* address = units == 0 ? nullptr : buffer.address(message.first);
    MPI_Request request = MPI_REQUEST_NULL;
    const auto hand_over = [&](int elements, MPI_Datatype of_type) {
        check(call(address, elements, of_type, message.peer, message.tag % tags, communicator_,
                   &request));
    };
    if (count <= INT_MAX) [[likely]] {
        hand_over(static_cast<int>(count), type);
    } else {
        const IntCount pieces(count, type);
        hand_over(pieces.count(), pieces.type());
    }
    requests_.push_back(request);
    in_flight_.push_back(what);
    const auto bytes = static_cast<std::uint64_t>(buffer.bytes(units));
    moving_bytes_ += bytes;
    if (!what.is_receive) {
        ++sent_messages_;
        sent_bytes_ += bytes;
    }
}

}  // namespace tasuki::host

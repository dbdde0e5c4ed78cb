// The memory transport as the step machine sees it.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "transport/memory/endpoint.hpp"
#include "transport/transport.hpp"

namespace tasuki::memory {

/// Carries the messages of one communicator, all of whose ranks are on this node. Several may share
/// an Endpoint; `context` keeps their messages apart and is the same on all ranks of one.
///
/// Memory: about 160 bytes for each message that is in flight at the same time, and the packed form
/// of those whose elements have gaps, of which up to `most_kept` bytes stay for later ones.
/// Failures are thrown as PeerGone or NoSharedMemory.
class MemoryTransport final : public Transport {
  public:
    /// `ranks[r]` is the rank on the node of the communicator's rank r.
    MemoryTransport(Endpoint& endpoint, std::vector<std::int32_t> ranks, std::uint32_t context);
    ~MemoryTransport() override;

    void start_send(const Message& message, StepId step) override;
    void start_recv(const Message& message, StepId step) override;
    void collect(Patience patience, std::vector<StepId>& completed) override;
    void wait_for_all() override;
    bool owes_answers() const override { return endpoint_.owes_answers(); }
    void abandon() noexcept override;

    bool is_idle() const { return in_flight_.empty() && at_once_.empty() && expected_.empty(); }
    /// As collect() with patience, but the endpoint's companion may end the wait with nothing.
    void collect_accompanied(std::vector<StepId>& completed);

  private:
    static constexpr std::size_t most_kept = std::size_t{4} << 20;

    /// Of packed elements.
    struct Room {
        std::unique_ptr<std::byte[]> memory;
        std::size_t bytes = 0;
    };

    struct Flight {
        Operation operation;
        Message message;
        StepId step;
        std::uint32_t place;  // in in_flight_
        bool is_receive;
        Room packed;
    };

    /// A short receive that the endpoint was not told of: mostly its message comes when the rank
    /// waits for it, and then needs no operation.
    struct Expected {
        Message message;
        StepId step;
        std::uint64_t bytes;
    };

    Tag tag_of(const Message& message) const {
        return context_ | static_cast<std::uint32_t>(message.tag);
    }
    bool send_now(const Message& message);
    bool receive_expected();
    void post_expected();
    Flight& begin(const Message& message, StepId step, bool is_receive);
    void need_room(Room& room, std::size_t bytes);
    void set_aside(Flight& flight);
    StepId end(Operation& operation);
    void wait();
    void take_finished(std::vector<StepId>& completed);

    Endpoint& endpoint_;
    std::vector<std::int32_t> ranks_;
    std::uint64_t context_;
    std::deque<Flight> flights_;
    std::vector<Flight*> spare_;
    std::size_t kept_bytes_ = 0;  // in rooms, of all flights
    std::vector<Flight*> in_flight_;
    OperationList finished_;
    std::vector<StepId> at_once_;     // done so, and not collected
    std::vector<Expected> expected_;  // in order; those before first_expected_ have come
    std::size_t first_expected_ = 0;
};

}  // namespace tasuki::memory

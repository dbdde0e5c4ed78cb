// Messages inside a node by memory, all others by something else, in one execution.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "schedule/placement.hpp"
#include "transport/memory/companion.hpp"
#include "transport/memory/memory_transport.hpp"
#include "transport/transport.hpp"

namespace tasuki {

/// Sends what goes to a rank of the same node by one transport and what leaves it by another. A
/// wait for both, or for what is outside alone, asks one after the other, and sleeps shortly when
/// it takes long.
///
/// Memory: none beside that of the two.
class SplitTransport final : public Transport, private memory::Companion {
  public:
    /// `inside` numbers ranks as `placement` does on a node, `outside` as the communicator; `rank`
    /// is of the communicator. All must stay as long as this.
    SplitTransport(memory::Endpoint& endpoint, memory::MemoryTransport& inside, Transport& outside,
                   const Placement& placement, std::int32_t rank);

    void start_send(const Message& message, StepId step) override;
    void start_recv(const Message& message, StepId step) override;
    void collect(Patience patience, std::vector<StepId>& completed) override;
    void wait_for_all() override;
    bool owes_answers() const override { return inside_.owes_answers(); }
    void abandon() noexcept override;

  private:
    bool is_inside(const Message& message) const {
        return placement_.node_of(message.peer) == node_;
    }
    Message on_node(Message message) const;
    bool progress() override;
    double pause() const override;
    double seconds_awake() const override;
    void begin_outside(const Message& message);

    memory::Endpoint& endpoint_;
    memory::MemoryTransport& inside_;
    Transport& outside_;
    const Placement& placement_;
    std::int32_t node_;
    std::size_t outside_in_flight_ = 0;
    std::uint64_t moving_outside_ = 0;  // bytes, since none was in flight
    std::vector<StepId> from_outside_;  // completed while the rank waited inside
    std::vector<StepId> dropped_;
};

}  // namespace tasuki

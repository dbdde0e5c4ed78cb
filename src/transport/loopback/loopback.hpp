// Ranks as threads of one process: executes schedules without MPI.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "transport/transport.hpp"

namespace tasuki {

/// Where the ranks of one loopback run meet. With `synchronous` a send completes only when its
/// receive has been started, the strictest that MPI allows; otherwise as soon as it is started,
/// the loosest.
class LoopbackWorld {
  public:
    enum class Sends : std::uint8_t { synchronous, buffered };

    LoopbackWorld(std::int32_t ranks, Sends sends);
    ~LoopbackWorld();

    /// Runs body(rank, transport) on a thread for each rank; rethrows the first exception after all
    /// have ended. When a rank throws, those that wait for messages throw as well, and nothing more
    /// can be run.
    void run(const std::function<void(std::int32_t rank, Transport& transport)>& body);

    std::int32_t ranks() const { return ranks_; }

  private:
    class Endpoint;
    struct Mailbox;

    void wake_all();

    std::int32_t ranks_;
    Sends sends_;
    std::atomic<bool> failed_ = false;
    std::vector<std::unique_ptr<Mailbox>> mailboxes_;  // [rank]
};

}  // namespace tasuki

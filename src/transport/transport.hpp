// What carries messages between ranks, as the step machine sees it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "schedule/program.hpp"
#include "transport/buffer.hpp"

namespace tasuki {

/// One message: `count` chunks of `buffer` from chunk `first` on, to or from `peer`. A pair of
/// ranks matches messages by `tag`, and messages of equal tag in the order in which they were
/// started. One that has chunks has bytes (Buffer::leaves_out()).
struct Message {
    std::int32_t peer;
    std::int32_t tag;
    const Buffer* buffer;
    std::int32_t first;
    std::int32_t count;
};

/// Whether collecting completed messages may wait for one.
enum class Patience : std::uint8_t { poll, wait };

/// Starts messages and says which have completed. Used by one thread at a time; what is given to
/// start_send() and start_recv() must stay where it is until its step has been collected.
/// Failures of the host are thrown as TransportError.
class Transport {
  public:
    virtual ~Transport() = default;

    virtual void start_send(const Message& message, StepId step) = 0;
    virtual void start_recv(const Message& message, StepId step) = 0;

    /// Appends the steps whose messages have completed since the last call. With Patience::wait it
    /// returns only when there is at least one, and only then may it block; it must not be called
    /// so when nothing is in flight.
    virtual void collect(Patience patience, std::vector<StepId>& completed) = 0;

    /// Waits for everything in flight, of which nothing will be collected: what a machine asks for
    /// that has nothing left to start.
    virtual void wait_for_all() = 0;

    /// Whether peers wait for something that only wait_for_all() or another collect() gives them.
    virtual bool owes_answers() const { return false; }

    /// Gives up what is in flight after an error. Nothing is written to buffers any more; messages
    /// that are being sent may still be read.
    virtual void abandon() noexcept = 0;
};

/// The host MPI (or what stands in for it) refused an operation.
class TransportError {
  public:
    explicit TransportError(int code) : code_(code) {}
    /// The host's error code, as an MPI call returns it.
    int code() const { return code_; }

  private:
    int code_;
};

}  // namespace tasuki

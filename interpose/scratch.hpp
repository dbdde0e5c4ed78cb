#pragma once

#include <cstddef>
#include <memory>

namespace tasuki::interpose {

/// Memory for one call. A thread keeps what it used last for its next call, up to `most_kept`
/// bytes: constant, whatever the number of ranks and communicators. When the call ends with an
/// exception the memory is left for ever: the host may still use it.
class Scratch {
  public:
    static constexpr std::size_t most_kept = std::size_t{4} << 20;

    /// Ends the run where there is no memory: other ranks need what this one would send, and that
    /// they all have theirs could be agreed only by messages in every call.
    explicit Scratch(std::size_t bytes) : bytes_(bytes) {
        if (bytes != 0) take();
    }
    ~Scratch() {
        if (block_ != nullptr) end();
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    std::byte* data() const { return block_.get(); }

  private:
    void take();
    void end();

    std::size_t bytes_;
    std::unique_ptr<std::byte[]> block_;
    int exceptions_ = 0;  // that were under way when it was taken
};

}  // namespace tasuki::interpose

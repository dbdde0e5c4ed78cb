#pragma once

#include <cstddef>
#include <memory>

namespace tasuki::interpose {

/// Memory for one call. A thread keeps what it used last for its next call, up to `most_kept`
/// bytes: constant, whatever the number of ranks and communicators.
class Scratch {
  public:
    static constexpr std::size_t most_kept = std::size_t{4} << 20;

    /// Ends the run where there is no memory: other ranks need what this one would send, and that
    /// they all have theirs could be agreed only by messages in every call.
    explicit Scratch(std::size_t bytes) : bytes_(bytes) {
        if (bytes != 0) take();
    }
    ~Scratch() {
        if (block_ != nullptr) give_back();
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    std::byte* data() const { return block_.get(); }
    /// After an error: the host may still read it.
    void leave_for_ever() { static_cast<void>(block_.release()); }

  private:
    void take();
    void give_back();

    std::size_t bytes_;
    std::unique_ptr<std::byte[]> block_;
};

}  // namespace tasuki::interpose

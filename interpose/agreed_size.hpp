#pragma once

#include <algorithm>
#include <cstdint>

#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

/// What a rank knows of a call whose sizes differ from rank to rank, in bytes.
struct OwnSizes {
    std::int64_t all;            ///< as SelectionKey counts them
    std::int64_t largest_block;  ///< of the blocks that go to other ranks, or come from them
};

/// What all ranks know of such a call. They agree about it at calls 1, 2, 4, 8, ... and, at least,
/// each 4,096 calls, each 64 where these are long, and keep to it in between, whatever the sizes
/// are then: what is selected may be slower, never wrong. They agree no more where nothing depends
/// on it: see Communicator::agrees_about_sizes().
///
/// Cost: an all-reduce of 8 bytes at those calls: of 0.5 us on two ranks.
class AgreedSize {
  public:
    /// To be called at each call; whether the ranks agree at this one.
    bool is_due() {
        if (++calls_ < due_) return false;
        due_ = calls_ + std::min(calls_, longest_time_now());
        return true;
    }
    /// In place of is_due() where is_due_next() has said that it is not.
    void count() { ++calls_; }
    /// Whether they will at the next one.
    bool is_due_next() const { return calls_ + 1 >= due_; }
    /// All ranks of `own` at the same call. Throws TransportError.
    void renew(MPI_Comm own, int ranks, const OwnSizes& mine);

    /// For which calls are selected: the largest that any rank has, as size_bucket() gives it.
    std::int64_t key_bytes() const { return key_bytes_; }
    /// The bytes that the head of a block has at most (Program::has_tails): all of the largest, if
    /// such heads of all ranks together are no more than `most_room`.
    std::int64_t capacity() const { return capacity_; }

    static constexpr std::int64_t most_room = std::int64_t{1} << 20;
    /// Calls from one agreement to the next, at most. A program that changes its sizes after many
    /// calls is not to wait for as many, and of long calls fewer pay for an agreement.
    static constexpr std::uint64_t longest_time = 4096;
    static constexpr std::uint64_t longest_time_of_long = 64;
    static constexpr std::uint64_t bytes_in_longest_time = std::uint64_t{1} << 21;

  private:
    std::uint64_t longest_time_now() const {
        const auto bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(key_bytes_, 1));
        return std::clamp(bytes_in_longest_time / bytes, longest_time_of_long, longest_time);
    }

    std::uint64_t calls_ = 0;
    std::uint64_t due_ = 1;  // the call at which the ranks agree next
    std::int64_t key_bytes_ = 0;
    std::int64_t capacity_ = 0;
};

}  // namespace tasuki::interpose

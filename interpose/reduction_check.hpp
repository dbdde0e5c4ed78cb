// Beside a reduction of the program's, the same in other orders: does its result depend on them?
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "calls/collectives.hpp"
#include "interpose/communicator.hpp"
#include "interpose/handled.hpp"
#include "interpose/reduction.hpp"
#include "reduce/difference.hpp"
#include "sites/module_address.hpp"

namespace tasuki::interpose {

extern constinit std::atomic<bool> current_reduction_checks;

inline bool checks_reductions() {
    return current_reduction_checks.load(std::memory_order_relaxed);
}

/// At the start, by all ranks.
void check_reductions(bool are_checked);

/// What a rank passes to a reduction that is checked.
struct CheckedCall {
    Collective collective;
    int root = 0;        ///< where there is one
    const void* input;   ///< also where it is in place
    const void* result;  ///< nullptr where this rank gets none
    bool is_in_place;
    /// Elements: of the vector, or of each rank's block.
    std::vector<std::int64_t> counts;
};

/// One call. Begun before the call, because the result may replace the input, and ended after it:
/// then a rank has the operands of some elements sent by all others, combines them in other orders,
/// and compares that with what the call gave. The call itself is left as it is.
///
/// Memory: a copy of the input where it is in place, else 4 MiB (12 MiB for prefixes), or an
/// element of each rank where that is more. Cost: three small collectives, and as much data as a
/// gather of all vectors, in pieces.
class ReductionCheck {
  public:
    /// Collective. nullptr where nothing is to be checked; where it cannot be, that is noted.
    /// Throws TransportError.
    static std::unique_ptr<ReductionCheck> begin(CheckedCall call, const Reduction& reduction,
                                                 Communicator& communicator);
    /// Collective. What fails is said.
    void end();

    ReductionCheck(CheckedCall call, const Reduction& reduction, Communicator& communicator);

  private:
    bool needs_more_memory();
    bool meets_device_memory() const;
    bool gives_prefixes() const;
    std::int64_t bytes(std::int64_t elements) const { return elements * element_bytes_; }
    void check_all();
    void check_run(std::int64_t first, std::int64_t count, std::optional<int> checker);
    void gather(const std::byte* mine, std::int64_t size, std::byte* all, int checker) const;
    void compare(std::int64_t elements, const std::byte* result);
    void compare_prefixes(std::int64_t elements);
    void compare_one(const std::byte* result, const std::byte* other, std::int64_t elements);
    void note();

    CheckedCall call_;
    Reduction reduction_;
    Communicator& communicator_;
    std::int64_t element_bytes_;
    std::int64_t piece_ = 1;  // elements that are checked at a time
    const std::byte* input_;
    std::unique_ptr<std::byte[]> copy_;     // of the input, in place
    std::unique_ptr<std::byte[]> parts_;    // of all ranks
    std::unique_ptr<std::byte[]> results_;  // of all ranks, where they have prefixes
    std::unique_ptr<std::byte[]> other_;    // in another order
    reduction::Difference found_;
};

/// Ends `check`, if there is one, at once or after the host has done the call.
Handled end_check(std::unique_ptr<ReductionCheck> check, const Handled& handled);
/// What this thread has left to be ended after the host, which is then its taker's; nullptr:
/// nothing.
ReductionCheck* take_left_check();
void end_check_behind_host(ReductionCheck* check);

/// A call on `parent` that cannot be checked, by every rank.
void note_unchecked(Collective collective, MPI_Comm parent, const char* reason);

}  // namespace tasuki::interpose

// A non-blocking reduction of the program's, from its call to its end.
#pragma once

#include <atomic>
#include <cfenv>
#include <cstdint>
#include <memory>
#include <vector>

#include "calls/collectives.hpp"
#include "interpose/reduction_mode.hpp"
#include "interpose/wishes.hpp"
#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

/// What a rank passes.
struct StartedArguments {
    Collective collective;
    bool has_equal_blocks = false;  ///< MPI_Ireduce_scatter_block
    const void* send;               ///< MPI_IN_PLACE: what stands in `receive`
    void* receive;
    std::vector<std::int64_t> counts;  ///< of each rank (MPI_Ireduce_scatter), else one
    MPI_Datatype type;
    MPI_Op operation;
    int root = 0;  ///< where there is one
};

/// Its request is a generalised one, with which the host's own calls wait, test and free. What the
/// program may free at once is kept: see kept_handles.hpp.
class StartedReduction {
  public:
    /// On the thread that calls: what holds there now holds for the reduction, the mode, what it
    /// is to run by, and the floating-point environment.
    StartedReduction(StartedArguments arguments, MPI_Comm parent, ReductionMode mode);
    ~StartedReduction();
    StartedReduction(const StartedReduction&) = delete;
    StartedReduction& operator=(const StartedReduction&) = delete;

    /// Makes the request of `reduction`. Gives the host's code.
    static int make_request(const std::shared_ptr<StartedReduction>& reduction,
                            MPI_Request& request);

    /// On a thread of ours: does what the blocking call does, on a communicator with the ranks of
    /// the program's whose errors return, and completes the request. What fails goes to the error
    /// handler that the program's communicator had; the request ends with its code too.
    void carry_out(MPI_Comm shadow);

    /// How the reduction ended, for who has been told that it is over; who reads it sees all that
    /// the other thread has done for it.
    int code() const { return code_.load(std::memory_order_acquire); }

  private:
    int run(MPI_Comm shadow) const;
    void tell_error(int code, MPI_Comm shadow) const;
    void release();

    StartedArguments arguments_;
    ReductionMode mode_;
    const Wish* wish_;
    std::fenv_t environment_;
    MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
    bool keeps_type_, keeps_operation_;
    MPI_Request request_ = MPI_REQUEST_NULL;
    std::atomic<int> code_ = MPI_SUCCESS;
};

}  // namespace tasuki::interpose

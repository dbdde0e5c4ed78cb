// A reduction of the program's that a thread of ours carries out while the program has a request.
#pragma once

#include <cfenv>
#include <cstdint>
#include <vector>

#include "calls/collectives.hpp"
#include "interpose/reduction_mode.hpp"
#include "interpose/wishes.hpp"
#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

/// What a rank passes.
struct ReductionArguments {
    Collective collective;
    bool has_equal_blocks = false;  ///< MPI_Ireduce_scatter_block, MPI_Reduce_scatter_block_init
    const void* send;               ///< MPI_IN_PLACE: what stands in `receive`
    void* receive;
    std::vector<std::int64_t> counts;  ///< of each rank (MPI_Ireduce_scatter), else one
    MPI_Datatype type;
    MPI_Op operation;
    int root = 0;  ///< where there is one
};

/// What the program may free at once is kept until it goes: see kept_handles.hpp.
class RequestedReduction {
  public:
    virtual ~RequestedReduction();
    RequestedReduction(const RequestedReduction&) = delete;
    RequestedReduction& operator=(const RequestedReduction&) = delete;

    /// On a thread of ours: does what the blocking call does, on a communicator with the ranks of
    /// the program's whose errors return, and ends the request. What fails goes to the error
    /// handler that the program's communicator had.
    void carry_out(MPI_Comm shadow);

  protected:
    /// On the thread that calls: the mode, what the reduction is to run by, and the floating-point
    /// environment that hold there now hold for it.
    RequestedReduction(ReductionArguments arguments, MPI_Comm parent, ReductionMode mode);

    /// From now on it is the floating-point environment of this thread that holds.
    void take_environment() { std::fegetenv(&environment_); }
    /// What was kept of the program's is needed no more.
    void release();

  private:
    /// The program may know that the reduction is over, with the host's code. The last that is done
    /// with it: the program may start it again, or go on without it.
    virtual void end(int code) = 0;
    int run(MPI_Comm shadow) const;
    void tell_error(int code, MPI_Comm shadow) const;

    ReductionArguments arguments_;
    ReductionMode mode_;
    const Wish* wish_;
    std::fenv_t environment_;
    MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
    bool keeps_type_, keeps_operation_;
};

}  // namespace tasuki::interpose

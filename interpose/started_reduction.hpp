// A non-blocking reduction of the program's, from its call to its end.
#pragma once

#include <atomic>
#include <memory>

#include "interpose/requested_reduction.hpp"

namespace tasuki::interpose {

/// Its request is a generalised one, with which the host's own calls wait, test and free.
class StartedReduction : public RequestedReduction {
  public:
    StartedReduction(ReductionArguments arguments, MPI_Comm parent, ReductionMode mode);

    /// Makes the request of `reduction`. Gives the host's code.
    static int make_request(const std::shared_ptr<StartedReduction>& reduction,
                            MPI_Request& request);

    /// How the reduction ended, for who has been told that it is over; who reads it sees all that
    /// the other thread has done for it. The request ends with it.
    int code() const { return code_.load(std::memory_order_acquire); }

  private:
    void end(int code) override;

    MPI_Request request_ = MPI_REQUEST_NULL;
    std::atomic<int> code_ = MPI_SUCCESS;
};

}  // namespace tasuki::interpose

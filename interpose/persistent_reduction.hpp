// A persistent reduction of the program's, from MPI_Allreduce_init or its like to MPI_Request_free.
#pragma once

#include <memory>

#include "interpose/reduction_worker.hpp"
#include "interpose/requested_reduction.hpp"
#include "interpose/self_receive.hpp"

namespace tasuki::interpose {

/// Its request is that of a SelfReceive, on the shadow of a ReductionWorker of its own.
class PersistentReduction : public RequestedReduction,
                            public std::enable_shared_from_this<PersistentReduction> {
  public:
    /// What a process has at the most at once: each takes a thread, and two communicators of the
    /// host's.
    static constexpr int most = 32;

    /// nullptr, and why, where the host has to do it: on all ranks alike.
    struct Made {
        std::shared_ptr<PersistentReduction> reduction;
        const char* why_not = nullptr;
    };
    /// Collective, and waits for the others. What RequestedReduction says holds now holds for all
    /// of its starts, but for the floating-point environment, which is that of each start.
    static Made make(ReductionArguments arguments, MPI_Comm parent, ReductionMode mode);

    /// `shadow`: for its messages and those of its worker.
    PersistentReduction(ReductionArguments arguments, MPI_Comm parent, ReductionMode mode,
                        MPI_Comm shadow);

    MPI_Request request() const { return receive_.request(); }
    /// MPI_Start. Gives the host's code.
    int start();
    /// The program has freed the request: what is under way comes to its end first.
    void leave() { worker_->leave(true); }

  private:
    void end(int code) override { receive_.end(code != MPI_SUCCESS); }
    /// Whether all is there that this rank needs.
    bool is_ready() const { return receive_.is_there() && worker_ != nullptr; }

    SelfReceive receive_;
    ReductionWorker* worker_;  // nullptr: there is no thread for one
};

}  // namespace tasuki::interpose

// Who carries out reductions for which the program has a request.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <pthread.h>

#include "interpose/requested_reduction.hpp"
#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

/// A thread that does them in the order in which it gets them, which is the same on all ranks, on a
/// communicator of its own with the same ranks (the shadow), where they meet no blocking collective
/// of the program's. One for the non-blocking ones of a communicator, since ranks may have calls on
/// several in different order; and one for each persistent one, since ranks may start those of one
/// communicator in different order.
///
/// Asleep while there is nothing to do. Memory: the thread's stack, the shadow, and what Tasuki
/// keeps for a communicator on which it reduces (see Communicator).
class ReductionWorker {
  public:
    /// The one of `parent`, made if need be, without waiting for anybody: the ranks meet when their
    /// threads make the shadow. That is by MPI_Comm_create_group, which takes part in nothing else
    /// that the program does on its communicator, and copies no attributes of it. Ends the run
    /// where no thread can be made: the other ranks have theirs.
    static ReductionWorker& of(MPI_Comm parent);
    /// Another one, whose shadow is there, and its own from now on. It lives until it has been left
    /// and is done. Throws std::system_error where no thread can be made.
    static ReductionWorker& on(MPI_Comm shadow);

    /// `shadow`: MPI_COMM_NULL where its thread is to make it.
    ReductionWorker(MPI_Comm parent, MPI_Comm shadow);
    ~ReductionWorker();
    ReductionWorker(const ReductionWorker&) = delete;
    ReductionWorker& operator=(const ReductionWorker&) = delete;

    void add(std::shared_ptr<RequestedReduction> reduction);
    /// Until the program's communicator is needed no more. The other ranks get there with their
    /// first call.
    void wait_for_shadow();
    /// Until all is done.
    void wait_for_all();
    /// Nothing more will come: it ends when all is done.
    void leave(bool frees_shadow);
    bool has_ended();

  private:
    void work();
    void make_shadow();

    MPI_Comm parent_;
    MPI_Group group_ = MPI_GROUP_NULL;
    MPI_Comm shadow_ = MPI_COMM_NULL;

    std::mutex mutex_;  // guards what follows
    std::condition_variable changed_;
    std::deque<std::shared_ptr<RequestedReduction>> waiting_;
    bool has_shadow_, is_busy_ = false, is_left_ = false, has_ended_ = false;
    bool frees_shadow_ = true;

    pthread_t thread_{};
};

/// Before the program's communicator goes.
void before_free(MPI_Comm communicator);
/// The same where nothing may be under way any more.
void before_disconnect(MPI_Comm communicator);

/// Before MPI_Finalize: all are done, and gone.
void end_reduction_workers();
/// The same where that was called in a way that we do not see, from its callback: shadows are left
/// to the host, whose lock may be held.
void end_reduction_workers_late();

}  // namespace tasuki::interpose

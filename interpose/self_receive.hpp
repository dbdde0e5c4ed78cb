// A persistent request of the host's that ends when we say so.
#pragma once

#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

/// A receive from this rank itself, on a communicator of ours whose messages are of nobody else:
/// all of the host's calls that wait, test and free work with it. end() sends the message that it
/// waits for.
///
/// Not on a communicator that has no other rank, for which MPICH before 5 has a short way that it
/// does not guard from other threads: requests stayed open for ever (seen with 4.0.2).
class SelfReceive {
  public:
    /// Where the host makes none, it is not there.
    explicit SelfReceive(MPI_Comm communicator);
    ~SelfReceive();
    SelfReceive(const SelfReceive&) = delete;
    SelfReceive& operator=(const SelfReceive&) = delete;

    bool is_there() const { return request_ != MPI_REQUEST_NULL; }
    MPI_Request request() const { return request_; }
    /// The program frees the request from now on.
    void give_away() { is_given_ = true; }

    /// Gives the host's code.
    int start() { return PMPI_Start(&request_); }
    /// Once for each start(), on any thread.
    void end(bool has_failed) const;

  private:
    MPI_Comm communicator_;
    int rank_ = 0;
    MPI_Request request_ = MPI_REQUEST_NULL;
    bool is_given_ = false;
};

}  // namespace tasuki::interpose

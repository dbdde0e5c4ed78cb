// Settings of the host MPI by which its waits leave the core to others.
#pragma once

namespace tasuki::interpose {

/// While it lives, from before the host's MPI_Init to its end, the environment asks the host to
/// yield the core between looks for messages. What the user says of it holds.
///
/// - Open MPI, where a mode is asked for by TASUKI_REPRODUCIBLE and this rank has no core to spare
///   for our threads (other hosts yield with MPI_THREAD_MULTIPLE): else each look of another thread
///   waits for a slice of the scheduler's. With more ranks than cores it yields by itself.
/// - MPICH from 5 on, where the launcher has put more ranks on the node than it has cores: it
///   spins, and each message between ranks of a core waits for a slice. Others do not read the
///   setting.
class YieldingHost {
  public:
    YieldingHost();
    ~YieldingHost();
    YieldingHost(const YieldingHost&) = delete;
    YieldingHost& operator=(const YieldingHost&) = delete;

  private:
    bool is_set_ = false;
};

}  // namespace tasuki::interpose

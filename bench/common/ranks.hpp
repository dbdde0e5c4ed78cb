// Ranks that are processes of one program, without MPI: how they share memory, meet, have a core
// each, and end together.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

/// Memory that the ranks share which are started afterwards.
inline void* share(std::size_t bytes) {
    return mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

/// Where ranks meet, in memory that they share.
class Meeting {
  public:
    void await(int ranks) {
        const int generation = generation_;
        if (++arrived_ == ranks) {
            arrived_ = 0;
            ++generation_;
        }
        while (generation_ == generation) sched_yield();
    }

  private:
    std::atomic<int> arrived_{0};
    std::atomic<int> generation_{0};
};

/// Keeps the rank on a core of its own, as the hosts' launchers do where there are enough; false
/// where there are not.
inline bool take_core(int rank, int ranks) {
    cpu_set_t usable;
    if (sched_getaffinity(0, sizeof usable, &usable) != 0 || CPU_COUNT(&usable) < ranks)
        return false;
    for (int core = 0, before = 0; core < CPU_SETSIZE; ++core) {
        if (!CPU_ISSET(core, &usable) || before++ != rank) continue;
        cpu_set_t own;
        CPU_ZERO(&own);
        CPU_SET(core, &own);
        return sched_setaffinity(0, sizeof own, &own) == 0;
    }
    return false;
}

/// Runs `body` as so many processes; `failed` is told of what it throws. Gives the exit code of the
/// program: if one rank fails the others are ended, since they would wait for it for ever.
inline int run_ranks(int ranks, const std::function<void(int rank)>& body,
                     const std::function<void(int rank, const std::exception& error)>& failed) {
    std::vector<pid_t> processes;
    for (int rank = 0; rank < ranks; ++rank) {
        processes.push_back(fork());
        if (processes.back() != 0) continue;
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        try {
            body(rank);
        } catch (const std::exception& error) {
            failed(rank, error);
            _exit(1);
        }
        _exit(0);
    }
    int any = 0;
    for (int status = 0; wait(&status) > 0; any |= status) {
        if (status == 0 || any != 0) continue;
        for (const pid_t process : processes) kill(process, SIGKILL);
    }
    return any == 0 ? 0 : 1;
}

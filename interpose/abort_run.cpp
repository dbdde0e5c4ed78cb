#include "interpose/abort_run.hpp"

#include <chrono>
#include <cstdlib>
#include <sys/ioctl.h>
#include <thread>
#include <unistd.h>

#include "interpose/process.hpp"
#include "interpose/say.hpp"
#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

namespace {

/// Launchers that hear of an abort end at once, and lose what they have not read from their ranks
/// by then (MPICH's on a busy machine in one run of twenty), or not passed on: hence the second
/// wait.
void wait_until_read() {
    using std::chrono::milliseconds;
    int unread = 0;
    for (int polls = 0; polls < 100; ++polls) {
        if (ioctl(STDERR_FILENO, FIONREAD, &unread) != 0 || unread == 0) break;
        std::this_thread::sleep_for(milliseconds(10));
    }
    std::this_thread::sleep_for(milliseconds(100));
}

}  // namespace

void end_run_saying(const std::string& message, int exit_code) {
    say(message + " The run ends.");
    wait_until_read();
    PMPI_Abort(MPI_COMM_WORLD, exit_code);
    std::abort();
}

void abort_run(const std::string& why) {
    end_run_saying("rank " + std::to_string(process().world_rank) + " " + why +
                       ", and the other ranks would wait for it for ever.",
                   EXIT_FAILURE);
}

}  // namespace tasuki::interpose

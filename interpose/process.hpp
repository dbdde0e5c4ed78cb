// What holds for this process while MPI runs.
#pragma once

#include <atomic>
#include <optional>

#include "fabric/fabric_file.hpp"
#include "interpose/settings.hpp"
#include "schedule/placement.hpp"
#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

/// Written in MPI_Init and read afterwards, but for the last.
struct Process {
    Settings settings;
    int world_rank = 0;
    int world_size = 1;
    /// The placement of MPI_COMM_WORLD that TASUKI_PLACEMENT asks for.
    std::optional<Placement> placement;
    /// What TASUKI_FABRIC names.
    std::optional<FabricFile> fabric;
    /// The host receives packed bytes into types with gaps wrongly: elements are to be packed and
    /// unpacked on our side, and messages to be bytes. MPICH before 5: from some 5 KiB on it ends
    /// with MPI_ERR_TRUNCATE for MPI_SHORT_INT and the like (seen with 4.0.2).
    bool host_needs_bytes = false;
    /// All ranks have MPI_THREAD_MULTIPLE, whatever the program was told.
    bool may_have_threads = false;
    /// This process has merged an inter-communicator, or was spawned: its communicators may reach
    /// processes that did not take part in the agreement on settings.
    std::atomic<bool> may_reach_other_worlds = false;

    /// Whether this rank tells what all ranks find alike.
    bool speaks() const { return world_rank == 0 || settings.is_verbose; }
};

Process& process();

/// Called when the host's MPI_Init has succeeded: compares settings with the other ranks and makes
/// Tasuki ready. Does not return where settings are invalid or differ. Where the host cannot be
/// used (its library was loaded too late) it says so and stays off.
void start_process();

}  // namespace tasuki::interpose

// What is known of a run when it has ended: numbers only, of one rank or of several together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/call_history.hpp"
#include "select/decision.hpp"
#include "transport/memory/counters.hpp"

namespace tasuki::report {

/// A quantity of each rank, together.
struct OverRanks {
    double sum = 0;
    double most = 0;  ///< that one rank had
};

/// What ran some calls.
struct AlgorithmUse {
    std::string name;  ///< as parse_choice() reads it; "native" is the host's own
    double calls = 0;  ///< summed over ranks, as the rest
    double seconds = 0;
};

/// The course of the calls on one communicator, as its rank 0 saw it.
struct Course {
    std::vector<Span> spans;  ///< `algorithm` counts names
    std::vector<std::string> names;
    std::vector<TimePoint> points;  ///< seconds
    std::optional<Decision> decision;
    std::string phase;  ///< in which learning ended, where there is a decision
    /// Where the parameters come from that candidates were predicted by ("built-in", "quick",
    /// "measured"); empty where they were not predicted.
    std::string parameters;
};

/// What a message took between pairs of ranks.
struct QuickTime {
    std::string pairs;  ///< "on-node" or "off-node"
    std::int64_t bytes = 0;
    double seconds = 0;  ///< one way
};

/// What the ranks of a communicator have measured of their machine while the program ran.
struct QuickRecord {
    bool is_done = false;        ///< or what has been paid for until the end
    double call = 0;             ///< the last one that something was measured behind
    double paid_by_seconds = 0;  ///< that had been spent in selected collectives by then
    double seconds = 0;          ///< that it took, charged to learning
    std::vector<QuickTime> times;
};

/// The calls of one collective and size class.
struct SizeRecord {
    /// Calls whose ranks have different sizes that they do not know of each other.
    static constexpr std::int64_t any_size = -1;

    std::string collective;  ///< as in keys of decisions
    std::int64_t size = 0;   ///< the lowest of the class; bytes as SelectionKey counts them
    std::int32_t ranks = 0;  ///< that made such calls
    double calls = 0;        ///< summed over ranks
    double bytes = 0;        ///< summed over calls and ranks
    OverRanks seconds;
    std::vector<AlgorithmUse> algorithms;
    Course course;  ///< of one communicator where there were several alike
};

/// What carried the messages of Tasuki's own algorithms. All is summed over ranks.
struct Traffic {
    memory::Counters memory;  ///< inside nodes
    std::uint64_t host_messages = 0;
    std::uint64_t host_bytes = 0;
};

/// One communicator, or several that are alike: of equal size, and the same one in the order in
/// which each of their ranks came to use communicators of that size. The rows of a grid of ranks
/// are alike, and its columns.
struct CommunicatorRecord {
    std::int32_t ranks = 0;
    /// Its number among those of equal size, from 1 on; the last one has all that come later too.
    std::int32_t ordinal = 0;
    std::int32_t communicators = 0;
    // Of the one whose rank 0 has the lowest rank in MPI_COMM_WORLD:
    std::int32_t first_rank = 0;  ///< that rank
    std::string name;             ///< as MPI_Comm_get_name gives it; may be empty
    std::string placement;        ///< "2x4"; empty if it was not known

    std::optional<bool> shares_cores;  ///< whether ranks of some node do, where that was asked
    std::optional<QuickRecord> quick;

    Traffic traffic;
    std::vector<SizeRecord> sizes;
    double left_out_seconds = 0;  ///< of size classes that are not listed, summed over ranks

    double seconds() const;  ///< summed over ranks
};

/// Calls that the host got without any algorithm having been chosen for them.
struct RefusedCalls {
    std::string collective;
    std::string reason;
    double calls = 0;  ///< summed over ranks
};

/// What holds for the whole run, as rank 0 of MPI_COMM_WORLD knows it.
struct RunFacts {
    std::string command;
    std::string began;  ///< "2026-11-21 22:30:05 UTC"
    std::string tasuki;
    std::string library;   ///< "Open MPI v5.0.11"
    std::string settings;  ///< "TASUKI_ALLTOALL=auto ..."; may be empty
    std::string node;      ///< name of the first one
    std::string processor;
    std::int32_t ranks = 1;
    double seconds = 0;  ///< between MPI_Init and MPI_Finalize
};

struct RunRecord {
    /// Others are left out, those that took the least time.
    static constexpr std::size_t most_communicators = 64;
    static constexpr std::size_t most_sizes = 64;  ///< of a communicator

    RunFacts facts;
    OverRanks seconds;  ///< in collectives
    std::vector<CommunicatorRecord> communicators;
    std::vector<RefusedCalls> refused;
    std::int32_t left_out_communicators = 0;
};

}  // namespace tasuki::report

// What the environment asks Tasuki for.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "calls/collectives.hpp"
#include "interpose/time_slice.hpp"

namespace tasuki::interpose {

/// The TASUKI_* variables that the preloaded library reads.
struct Settings {
    /// TASUKI_ALLTOALL, TASUKI_BCAST, ...: NAME[:parameter=value,...]; `others` where not set.
    std::array<std::string, collectives> wishes;
    std::string others = "auto";       ///< TASUKI_COLLECTIVES: native or auto
    std::string reproducible = "off";  ///< TASUKI_REPRODUCIBLE: see ReductionMode
    bool checks_reductions = false;    ///< TASUKI_CHECK_REDUCTIONS: on, off, or
    std::string check_file;            ///< the JSON file that the report goes to as well
    std::string placement;             ///< TASUKI_PLACEMENT: see Placement::parse; empty: as found
    std::string fabric;                ///< TASUKI_FABRIC: see FabricFile; empty: not known
    /// What stands in that file, in few characters, so that ranks can compare it.
    std::string fabric_contents;
    bool uses_memory = true;                           ///< TASUKI_MEMORY: on or off
    std::size_t memory_limit = std::size_t{64} << 20;  ///< TASUKI_MEMORY_LIMIT, bytes
    /// TASUKI_TIME_SLICE, nanoseconds; 0: as the system has it (off)
    std::uint64_t time_slice = shortest_time_slice;
    std::string report;           ///< TASUKI_REPORT: the file, .html or .json; empty: none
    bool keeps_decisions = true;  ///< TASUKI_DECISIONS: keep or ignore
    std::string cache;            ///< TASUKI_CACHE: the folder; empty: the user's
    bool is_verbose = false;      ///< TASUKI_VERBOSE
    double start_timeout = 60;    ///< TASUKI_START_TIMEOUT, seconds
    /// TASUKI_* variables that nobody reads: most likely misspelt.
    std::vector<std::string> unknown;
    /// What is wrong with a value that was read; empty if nothing.
    std::string problem;

    static Settings from_environment();

    /// The variables that are read here and elsewhere, for a message.
    static std::string known_names();

    /// What must be the same on all ranks, for a person to compare: version and build, then the
    /// settings, "0.1.0+3f9a01c27b44 TASUKI_ALLTOALL=bruck"; without the collectives that are left
    /// to the host, and where decisions are kept only if something is learnt.
    std::string agreed_text() const;

  private:
    bool learns() const;
};

/// What is wrong with the value of a variable that has an option of `tasuki run`, named by both.
std::string wrong_value(std::string_view variable, std::string_view why);

}  // namespace tasuki::interpose

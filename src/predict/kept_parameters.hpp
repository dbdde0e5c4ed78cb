// P-LogP parameters that were measured before, for a run that has no time to measure.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "predict/fingerprint.hpp"
#include "predict/machine_parameters.hpp"

namespace tasuki {

/// The file that parameters measured there are kept in, below cache_directory(); empty if there is
/// none. Several are kept for one machine: other numbers of ranks, other settings.
std::filesystem::path parameters_path(const Fingerprint& fingerprint);

struct FoundParameters {
    MachineParameters machine;
    /// Empty where nothing that was measured fits, and `machine` is built in.
    std::filesystem::path file;
    /// Of files that would have had to be looked at: what is wrong with them and what to do.
    std::vector<std::string> messages;
};

/// Of what is kept, that which was measured with the same library, kind of node and fabric, across
/// nodes if `run` is, oversubscribed if the run is, with the number of ranks on a node that is
/// nearest to that of `run`. Without any the built-in parameters of the library's kind. Never
/// throws for what it finds in files. Cost: reading the files of this library, a few kilobytes
/// each; to be called by one rank, which tells the others by machine_text().
FoundParameters find_parameters(const Fingerprint& run);

/// The same where it is known better than from `run`'s numbers whether ranks share cores: they may
/// be bound to few of them.
FoundParameters find_parameters(const Fingerprint& run, bool oversubscribed);

/// What is built in: good enough to put candidates in order, no more. See docs/design/prediction.md
/// for where it was measured.
const MachineParameters& built_in_parameters(std::string_view library, bool oversubscribed);

/// `machine` with messages inside a node carried by the memory transport.
MachineParameters with_memory_inside(const MachineParameters& machine, bool oversubscribed);

}  // namespace tasuki

// The cores that ranks may run on, as far as the system tells.
#pragma once

#include <cstdint>
#include <filesystem>

namespace tasuki::memory {

/// Numbers of cores; a cgroup's limit on time counts as so many.
struct Cores {
    double present;  ///< for all processes of the node
    double usable;   ///< for this one, which may be bound to some
};

/// Of this node, and of this process. Cost: the first time some files of /proc and /sys, then a
/// call of the system; cgroups are taken to stay as they are.
Cores count_cores();

/// The least limit of the cgroups that this process is in and of all above them, in cores: those of
/// version 2 and, of version 1, those of the controller `cpu`. Infinity where there is none.
/// `root` is where /proc and /sys are; tests have their own.
double cgroup_cores(const std::filesystem::path& root = "/");

/// Whether this process and that one may run at the same time: between them they may use two cores.
bool have_a_core_each(std::int32_t process);

}  // namespace tasuki::memory

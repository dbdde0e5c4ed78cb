#include "transport/memory/cores.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <sched.h>
#include <sstream>
#include <string>
#include <string_view>
#include <unistd.h>

namespace tasuki::memory {

namespace {

namespace fs = std::filesystem;

constexpr double no_limit = std::numeric_limits<double>::infinity();

double cores_of(double quota, double period) {
    return quota > 0 && period > 0 ? quota / period : no_limit;
}

/// "quota period" in microseconds, or "max period".
double limit_of_version_2(const fs::path& group) {
    std::ifstream file(group / "cpu.max");
    double quota = 0;
    double period = 0;
    return file >> quota >> period ? cores_of(quota, period) : no_limit;
}

/// Microseconds; a quota of -1 is none.
double limit_of_version_1(const fs::path& group) {
    std::ifstream quota_file(group / "cpu.cfs_quota_us");
    std::ifstream period_file(group / "cpu.cfs_period_us");
    double quota = 0;
    double period = 0;
    return quota_file >> quota && period_file >> period ? cores_of(quota, period) : no_limit;
}

/// Of `group` below `mount` and all above it. In a container the path may be the one outside, which
/// is not there; the mount is then the container's own group.
template <typename LimitOf>
double least_limit(const fs::path& mount, std::string_view group, LimitOf&& limit_of) {
    double least = limit_of(mount);
    fs::path place = mount;
    for (const fs::path& part : fs::path(group).relative_path()) {
        if (part == "..") break;  // outside of what this namespace shows
        place /= part;
        least = std::min(least, limit_of(place));
    }
    return least;
}

bool names_cpu(std::string_view controllers) {
    std::istringstream list{std::string(controllers)};
    for (std::string one; std::getline(list, one, ',');) {
        if (one == "cpu") return true;
    }
    return false;
}

}  // namespace

double cgroup_cores(const fs::path& root) {
    const fs::path mounts = root / "sys/fs/cgroup";
    // Where /proc does not tell, the mount may.
    double least = limit_of_version_2(mounts);
    std::ifstream groups(root / "proc/self/cgroup");
    // "number:controllers:path"; version 2 has number 0 and names no controllers.
    for (std::string line; std::getline(groups, line);) {
        const std::size_t first = line.find(':');
        const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const std::string group = line.substr(second + 1);
        if (controllers.empty()) {
            least = std::min(least, least_limit(mounts, group, limit_of_version_2));
        } else if (names_cpu(controllers)) {
            for (const std::string& name : {controllers, std::string("cpu")}) {
                least = std::min(least, least_limit(mounts / name, group, limit_of_version_1));
            }
        }
    }
    return least;
}

Cores count_cores() {
    Cores cores{.present = static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN)), .usable = 1};
    cpu_set_t own;
    if (sched_getaffinity(0, sizeof own, &own) == 0) cores.usable = CPU_COUNT(&own);
    // Each thread asks in its first wait that lasts, which is no time to read files.
    static const double limit = cgroup_cores();
    cores.present = std::min(cores.present, limit);
    cores.usable = std::min(cores.usable, limit);
    return cores;
}

bool have_a_core_each(std::int32_t process) {
    cpu_set_t own;
    cpu_set_t other;
    cpu_set_t both;
    if (sched_getaffinity(0, sizeof own, &own) != 0) return true;
    if (sched_getaffinity(process, sizeof other, &other) != 0) return true;
    CPU_OR(&both, &own, &other);
    return CPU_COUNT(&both) > 1;
}

}  // namespace tasuki::memory

// What the C++ benchmarks share: their clock, and what their JSON says of the machine.
#pragma once

#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <string>
#include <thread>
#include <time.h>

namespace tasuki {

/// CPU time of this thread, which others on the machine disturb little.
inline double cpu_seconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

inline std::string cpu_model() {
    std::ifstream cpuinfo("/proc/cpuinfo");
    for (std::string line; std::getline(cpuinfo, line);) {
        if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
    }
    return "unknown";
}

/// {"cpu": ..., "cores": ..., "load": [...]}
inline std::string machine_json() {
    double load[3] = {0, 0, 0};
    getloadavg(load, 3);
    std::ostringstream json;
    json << "{\"cpu\": " << std::quoted(cpu_model())
         << ", \"cores\": " << std::thread::hardware_concurrency() << ", \"load\": [" << load[0]
         << ", " << load[1] << ", " << load[2] << "]}";
    return json.str();
}

}  // namespace tasuki

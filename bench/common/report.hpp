// What the C++ benchmarks share: their clock, and what their JSON says of the machine.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <time.h>
#include <vector>

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

/// What the command line of a benchmark asks for.
struct Options {
    std::string json_file;
    std::int32_t most_ranks;
};

/// Reads [--json FILE] [--most-ranks NUMBER]; ends the program where something else is asked for.
inline Options parse_options(int argc, char** argv, const char* name, std::int32_t most_ranks) {
    Options options{{}, most_ranks};
    for (int i = 1; i < argc; i += 2) {
        const std::string option = argv[i];
        if (i + 1 < argc && option == "--json") {
            options.json_file = argv[i + 1];
        } else if (i + 1 < argc && option == "--most-ranks") {
            options.most_ranks = std::atoi(argv[i + 1]);
        } else {
            std::cerr << "usage: " << name << " [--json FILE] [--most-ranks NUMBER]\n";
            std::exit(2);
        }
    }
    return options;
}

/// Tells the failures, writes the document if a file is named; the exit code of the benchmark.
inline int finish(const std::string& json_file, const std::string& document,
                  const std::vector<std::string>& failures) {
    for (const std::string& failure : failures) std::cerr << failure << "\n";
    if (!json_file.empty()) {
        std::ofstream file(json_file);
        file << document;
        if (!file.flush()) {
            std::cerr << "cannot write " << json_file << "\n";
            return 2;
        }
    }
    return failures.empty() ? 0 : 1;
}

}  // namespace tasuki

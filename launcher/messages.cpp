#include "launcher/messages.hpp"

#include <array>
#include <climits>
#include <iostream>
#include <string_view>
#include <unistd.h>

namespace tasuki::launcher {

namespace {

constexpr std::array<const char*, 4> variables_of_rank = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK",
                                                          "PMI_RANK", "SLURM_PROCID"};

/// The number of this rank, as its launcher gave it; "" if unknown.
std::string_view own_rank(const Environment& environment) {
    for (const char* variable : variables_of_rank) {
        if (is_set(environment, variable)) return value_of(environment, variable);
    }
    return "";
}

std::string host_name() {
    std::array<char, HOST_NAME_MAX + 1> name = {};
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "an unknown host";
}

/// In one piece, so that the lines of several ranks do not mix.
void print(const std::string& line) {
    std::cerr << line;
}

std::string line_of(const std::string& message) {
    return "tasuki: " + message + "\n";
}

}  // namespace

bool speaks_for_all(const Environment& environment) {
    const std::string_view rank = own_rank(environment);
    return rank.empty() || rank == "0";
}

std::string line_of_this_rank(const Environment& environment, const std::string& message) {
    const std::string rank(own_rank(environment));
    if (rank.empty()) return line_of(message);
    return line_of("rank " + rank + " on " + host_name() + ": " + message);
}

void tell_once(const Environment& environment, const std::string& message) {
    if (speaks_for_all(environment)) print(line_of(message));
}

void tell_from_this_rank(const Environment& environment, const std::string& message) {
    print(line_of_this_rank(environment, message));
}

}  // namespace tasuki::launcher

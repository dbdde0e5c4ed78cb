#include "interpose/settings.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

extern char** environ;

namespace tasuki::interpose {

namespace {

constexpr std::string_view read_here[] = {
    "TASUKI_ALLTOALL", "TASUKI_PLACEMENT", "TASUKI_FABRIC",       "TASUKI_DECISIONS",
    "TASUKI_CACHE",    "TASUKI_VERBOSE",   "TASUKI_START_TIMEOUT"};
// Read by the launcher and by the command line, which have their own say about them.
constexpr std::string_view read_elsewhere[] = {
    "TASUKI_MPI", "TASUKI_MPI_LIBRARY", "TASUKI_MPI_HOME", "TASUKI_PYTHON", "TASUKI_COMMAND"};

std::string value_of(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

std::vector<std::string> unknown_names() {
    std::vector<std::string> unknown;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        const std::string_view name = text.substr(0, text.find('='));
        if (!name.starts_with("TASUKI_")) continue;
        if (std::ranges::find(read_here, name) == std::end(read_here) &&
            std::ranges::find(read_elsewhere, name) == std::end(read_elsewhere)) {
            unknown.emplace_back(name);
        }
    }
    return unknown;
}

}  // namespace

Settings Settings::from_environment() {
    Settings settings;
    if (const std::string alltoall = value_of("TASUKI_ALLTOALL"); !alltoall.empty()) {
        settings.alltoall = alltoall;
    }
    settings.placement = value_of("TASUKI_PLACEMENT");
    settings.fabric = value_of("TASUKI_FABRIC");
    const std::string verbose = value_of("TASUKI_VERBOSE");
    settings.is_verbose = !verbose.empty() && verbose != "0";
    if (const std::string timeout = value_of("TASUKI_START_TIMEOUT"); !timeout.empty()) {
        const char* end = timeout.data() + timeout.size();
        double seconds = 0;
        const auto [stop, error] = std::from_chars(timeout.data(), end, seconds);
        if (error != std::errc{} || stop != end || !(seconds > 0)) {
            settings.problem = "TASUKI_START_TIMEOUT cannot be \"" + timeout +
                               "\"; it is a number of seconds above 0, such as 60";
        } else {
            settings.start_timeout = seconds;
        }
    }
    if (const std::string decisions = value_of("TASUKI_DECISIONS"); !decisions.empty()) {
        settings.keeps_decisions = decisions == "keep";
        if (decisions != "keep" && decisions != "ignore") {
            settings.problem =
                "TASUKI_DECISIONS cannot be \"" + decisions +
                "\"; it is keep (use what earlier runs have learnt, and keep what this "
                "one learns) or ignore";
        }
    }
    settings.unknown = unknown_names();
    return settings;
}

std::string Settings::known_names() {
    std::string names;
    for (const std::string_view name : read_here) {
        names += (names.empty() ? "" : ", ") + std::string(name);
    }
    return names;
}

std::string Settings::agreed_text() const {
    return std::string(TASUKI_VERSION) + " TASUKI_ALLTOALL=" + alltoall +
           (placement.empty() ? "" : " TASUKI_PLACEMENT=" + placement) +
           (fabric.empty() ? "" : " TASUKI_FABRIC=" + fabric + " (" + fabric_contents + ")");
}

}  // namespace tasuki::interpose

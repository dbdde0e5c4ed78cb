#include "interpose/settings.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <unistd.h>

#include "interpose/build_id.hpp"

namespace tasuki::interpose {

namespace {

constexpr std::string_view read_here[] = {
    "TASUKI_COLLECTIVES", "TASUKI_REPRODUCIBLE", "TASUKI_PLACEMENT",        "TASUKI_FABRIC",
    "TASUKI_DECISIONS",   "TASUKI_CACHE",        "TASUKI_VERBOSE",          "TASUKI_START_TIMEOUT",
    "TASUKI_MEMORY",      "TASUKI_MEMORY_LIMIT", "TASUKI_CHECK_REDUCTIONS", "TASUKI_REPORT",
    "TASUKI_TIME_SLICE"};
// Read by the launcher and by the command line, which have their own say about them.
constexpr std::string_view read_elsewhere[] = {
    "TASUKI_MPI", "TASUKI_MPI_LIBRARY", "TASUKI_MPI_HOME", "TASUKI_PYTHON", "TASUKI_COMMAND"};

std::string value_of(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

bool is_wanted(std::string_view value) {
    return !value.empty() && value != "0" && value != "off";
}

std::vector<std::string> unknown_names() {
    std::vector<std::string> unknown;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        const std::string_view name = text.substr(0, text.find('='));
        if (!name.starts_with("TASUKI_")) continue;
        if (std::ranges::find(read_here, name) == std::end(read_here) &&
            std::ranges::find(read_elsewhere, name) == std::end(read_elsewhere) &&
            std::ranges::find(collective_settings, name) == std::end(collective_settings)) {
            unknown.emplace_back(name);
        }
    }
    return unknown;
}

void read_wishes(Settings& settings) {
    const std::string others = value_of("TASUKI_COLLECTIVES");
    const std::string name = others.substr(0, others.find(':'));
    if (name == "native" || name == "auto") {
        settings.others = others;
    } else if (!others.empty()) {
        settings.problem = wrong_value(
            "TASUKI_COLLECTIVES",
            "cannot be \"" + others +
                "\"; it is native (the MPI library's own algorithms) or auto (learnt while the "
                "program runs); an algorithm is chosen for one collective, by --alltoall or "
                "TASUKI_ALLTOALL and the like");
    }
    for (std::size_t index = 0; index < collectives; ++index) {
        const std::string value = value_of(collective_settings[index]);
        settings.wishes[index] = value.empty() ? settings.others : value;
    }
}

/// Nothing if the text is more than a number, or none.
template <typename Number>
std::optional<Number> read_number(const std::string& text) {
    Number value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stop != end) return std::nullopt;
    return value;
}

/// "64M" in bytes; nothing if it is no such text.
std::optional<std::size_t> read_bytes(const std::string& text) {
    std::size_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{}) return std::nullopt;
    const std::string_view unit(stop, end);
    const int shift = unit.empty()  ? 0
                      : unit == "K" ? 10
                      : unit == "M" ? 20
                      : unit == "G" ? 30
                                    : -1;
    if (shift < 0 || value > SIZE_MAX >> shift) return std::nullopt;
    return value << shift;
}

void read_memory(Settings& settings) {
    if (const std::string memory = value_of("TASUKI_MEMORY"); !memory.empty()) {
        settings.uses_memory = memory == "on";
        if (memory != "on" && memory != "off") {
            settings.problem =
                wrong_value("TASUKI_MEMORY",
                            "cannot be \"" + memory +
                                "\"; it is on (memory may carry messages inside a node) or off");
        }
    }
    if (const std::string limit = value_of("TASUKI_MEMORY_LIMIT"); !limit.empty()) {
        const auto bytes = read_bytes(limit);
        if (!bytes) {
            settings.problem = wrong_value(
                "TASUKI_MEMORY_LIMIT",
                "cannot be \"" + limit +
                    "\"; it is a number of bytes that a rank may share with others of its node, "
                    "such as 64M");
        }
        settings.memory_limit = bytes.value_or(settings.memory_limit);
    }
}

void read_time_slice(Settings& settings) {
    const std::string value = value_of("TASUKI_TIME_SLICE");
    if (value.empty()) return;
    if (value == "off") {
        settings.time_slice = 0;
        return;
    }
    constexpr std::uint64_t shortest = shortest_time_slice / 1000;
    constexpr std::uint64_t longest = longest_time_slice / 1000;
    const auto microseconds = read_number<std::uint64_t>(value);
    if (!microseconds || *microseconds < shortest || *microseconds > longest) {
        settings.problem = wrong_value(
            "TASUKI_TIME_SLICE", "cannot be \"" + value +
                                     "\"; it is for how many microseconds a rank asks for a core "
                                     "that others want, " +
                                     std::to_string(shortest) + " to " + std::to_string(longest) +
                                     ", or off (as the system has it)");
        return;
    }
    settings.time_slice = *microseconds * 1000;
}

void read_checks(Settings& settings) {
    const std::string value = value_of("TASUKI_CHECK_REDUCTIONS");
    settings.checks_reductions = is_wanted(value);
    if (!settings.checks_reductions || value == "on" || value == "1") return;
    settings.check_file = value;
    if (!value.ends_with(".json")) {
        settings.problem = wrong_value(
            "TASUKI_CHECK_REDUCTIONS",
            "cannot be \"" + value +
                "\"; it is on, off, or the name of a file that ends in .json and that the report "
                "goes to as well");
    }
}

}  // namespace

Settings Settings::from_environment() {
    Settings settings;
    read_wishes(settings);
    if (const std::string mode = value_of("TASUKI_REPRODUCIBLE"); !mode.empty()) {
        settings.reproducible = mode;
    }
    settings.placement = value_of("TASUKI_PLACEMENT");
    settings.fabric = value_of("TASUKI_FABRIC");
    settings.report = value_of("TASUKI_REPORT");
    settings.cache = value_of("TASUKI_CACHE");
    settings.is_verbose = is_wanted(value_of("TASUKI_VERBOSE"));
    if (const std::string timeout = value_of("TASUKI_START_TIMEOUT"); !timeout.empty()) {
        const auto seconds = read_number<double>(timeout);
        if (!seconds || !(*seconds > 0)) {
            settings.problem = "TASUKI_START_TIMEOUT cannot be \"" + timeout +
                               "\"; it is a number of seconds above 0, such as 60";
        } else {
            settings.start_timeout = *seconds;
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
    read_memory(settings);
    read_time_slice(settings);
    read_checks(settings);
    settings.unknown = unknown_names();
    return settings;
}

std::string Settings::known_names() {
    std::string names;
    for (const std::string_view name : collective_settings) names += std::string(name) + ", ";
    for (const std::string_view name : read_here) names += std::string(name) + ", ";
    for (const std::string_view name : read_elsewhere) {
        names += (name == read_elsewhere[0] ? "" : ", ") + std::string(name);
    }
    return names;
}

bool Settings::learns() const {
    return std::ranges::any_of(wishes, [](const std::string& wish) {
        return wish == "auto" || wish.starts_with("auto:");
    });
}

std::string Settings::agreed_text() const {
    static const std::string build = build_id();
    std::string text(TASUKI_VERSION);
    if (!build.empty()) text += "+" + build;
    if (others != Settings{}.others) text += " TASUKI_COLLECTIVES=" + others;
    for (std::size_t index = 0; index < collectives; ++index) {
        if (wishes[index] == others) continue;
        text += std::string(" ") + collective_settings[index] + "=" + wishes[index];
    }
    if (reproducible != "off") text += " TASUKI_REPRODUCIBLE=" + reproducible;
    if (checks_reductions) {
        text += " TASUKI_CHECK_REDUCTIONS=" + (check_file.empty() ? "on" : check_file);
    }
    if (!uses_memory) text += " TASUKI_MEMORY=off";
    if (memory_limit != Settings{}.memory_limit) {
        text += " TASUKI_MEMORY_LIMIT=" + std::to_string(memory_limit);
    }
    if (!report.empty()) text += " TASUKI_REPORT=" + report;
    if (learns() && !keeps_decisions) text += " TASUKI_DECISIONS=ignore";
    if (learns() && keeps_decisions && !cache.empty()) text += " TASUKI_CACHE=" + cache;
    return text + (placement.empty() ? "" : " TASUKI_PLACEMENT=" + placement) +
           (fabric.empty() ? "" : " TASUKI_FABRIC=" + fabric + " (" + fabric_contents + ")");
}

std::string wrong_value(std::string_view variable, std::string_view why) {
    std::string option(variable.substr(std::string_view("TASUKI_").size()));
    for (char& letter : option) {
        letter = letter == '_' ? '-' : static_cast<char>(letter - 'A' + 'a');
    }
    return std::string(variable) + " (--" + option + "): " + std::string(why);
}

}  // namespace tasuki::interpose

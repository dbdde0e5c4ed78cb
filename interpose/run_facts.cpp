#include "interpose/run_facts.hpp"

#include <algorithm>
#include <ctime>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <unistd.h>

#include "interpose/library_version.hpp"
#include "interpose/process.hpp"

namespace tasuki::interpose {

namespace {

/// Its words, as far as they fit into a line or three.
std::string command() {
    constexpr std::size_t most = 300;
    std::ifstream file("/proc/self/cmdline");
    std::string words{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    while (words.ends_with('\0')) words.pop_back();
    std::ranges::replace(words, '\0', ' ');
    if (words.size() > most) words = words.substr(0, most) + " ...";
    return words;
}

std::string time_text(std::time_t now) {
    std::tm parts{};
    char text[64] = "";
    if (gmtime_r(&now, &parts) != nullptr) {
        std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &parts);
    }
    return text;
}

std::string node() {
    char name[256] = "";
    return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

std::string processor() {
    constexpr std::string_view field = "model name";
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(": ");
        if (line.starts_with(field) && colon != line.npos) return line.substr(colon + 2);
    }
    return "";
}

/// What was asked for, in an order of its own.
std::string settings() {
    std::set<std::string> found;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        if (std::string_view(*entry).starts_with("TASUKI_")) found.insert(*entry);
    }
    std::string text;
    for (const std::string& setting : found) text += (text.empty() ? "" : " ") + setting;
    return text;
}

}  // namespace

report::RunFacts run_facts() {
    report::RunFacts facts;
    facts.command = command();
    facts.began = time_text(std::time(nullptr));
    facts.tasuki = TASUKI_VERSION;
    facts.library = host_version();
    facts.settings = settings();
    facts.node = node();
    facts.processor = processor();
    facts.ranks = process().world_size;
    return facts;
}

}  // namespace tasuki::interpose

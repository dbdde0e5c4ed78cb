#include "predict/kept_parameters.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>
#include <tuple>

#include "predict/cache_directory.hpp"
#include "predict/machine_text.hpp"

namespace tasuki {

namespace {

constexpr std::size_t longest_name = 200;

/// "Open MPI v5.0.11" -> "open-mpi-v5-0-11": a text that can be part of a file's name.
std::string as_name(std::string_view text) {
    std::string name;
    for (const char character : text) {
        const auto plain = static_cast<unsigned char>(character);
        if (std::isalnum(plain) != 0) {
            name += static_cast<char>(std::tolower(plain));
        } else if (!name.empty() && name.back() != '-') {
            name += '-';
        }
    }
    while (!name.empty() && name.back() == '-') name.pop_back();
    return name;
}

std::string name_of_library(std::string_view library) {
    return "plogp-" + as_name(library) + "-";
}

/// All files of this library, in an order that does not depend on the file system.
std::vector<std::filesystem::path> files_of(const std::string& library) {
    std::vector<std::filesystem::path> files;
    std::error_code error;
    const std::string begin = name_of_library(library);
    std::filesystem::directory_iterator entry(cache_directory(), error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (name.starts_with(begin) && !name.ends_with(".new")) files.push_back(entry->path());
    }
    std::ranges::sort(files);
    return files;
}

/// Throws std::runtime_error or std::invalid_argument that says what is wrong with the file.
MachineParameters read_file(const std::filesystem::path& path) {
    std::ifstream file(path);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!file) throw std::runtime_error("it cannot be read");
    return read_machine(text);
}

bool holds_for(const Fingerprint& kept, const Fingerprint& run, bool oversubscribed) {
    return kept.library == run.library && kept.node == run.node && kept.cores == run.cores &&
           kept.fabric == run.fabric && (kept.nodes > 1 || run.nodes == 1) &&
           kept.oversubscribed() == oversubscribed;
}

/// How far the placements are from each other: first the ranks on a node, then the nodes.
std::tuple<double, double> distance(const Fingerprint& kept, const Fingerprint& run) {
    const auto ratio = [](std::int32_t a, std::int32_t b) {
        return std::abs(std::log2(static_cast<double>(a) / b));
    };
    return {ratio(kept.ranks_per_node, run.ranks_per_node), ratio(kept.nodes, run.nodes)};
}

}  // namespace

std::filesystem::path parameters_path(const Fingerprint& fingerprint) {
    const std::filesystem::path directory = cache_directory();
    if (directory.empty()) return {};
    std::string name = name_of_library(fingerprint.library) +
                       as_name(std::to_string(fingerprint.nodes) + "x" +
                               std::to_string(fingerprint.ranks_per_node) + "-" + fingerprint.node +
                               "-" + std::to_string(fingerprint.cores) + "-" + fingerprint.fabric);
    name.resize(std::min(name.size(), longest_name));
    return directory / name;
}

FoundParameters find_parameters(const Fingerprint& run) {
    return find_parameters(run, run.oversubscribed());
}

FoundParameters find_parameters(const Fingerprint& run, bool oversubscribed) {
    FoundParameters found;
    Fingerprint best;
    for (const std::filesystem::path& path : files_of(run.library)) {
        try {
            MachineParameters machine = read_file(path);
            const Fingerprint kept = read_fingerprint(machine.fingerprint);
            if (!holds_for(kept, run, oversubscribed)) continue;
            if (!found.file.empty() && distance(kept, run) >= distance(best, run)) continue;
            found.machine = std::move(machine);
            found.file = path;
            best = kept;
        } catch (const std::exception& error) {
            found.messages.push_back(path.string() + ": " + error.what() +
                                     "; remove it, or measure anew by `tasuki model measure`");
        }
    }
    if (found.file.empty()) found.machine = built_in_parameters(run.library, oversubscribed);
    return found;
}

}  // namespace tasuki

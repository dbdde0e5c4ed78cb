#include "predict/fingerprint.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <unistd.h>

#include "schedule/whole_number.hpp"

namespace tasuki {

namespace {

constexpr std::string_view separator = " | ";

/// What chooses how messages travel. Launchers set none of them unless they are told to.
constexpr std::array fabric_variables = {
    "OMPI_MCA_pml",    "OMPI_MCA_btl",       "OMPI_MCA_mtl",         "UCX_TLS",
    "FI_PROVIDER",     "I_MPI_FABRICS",      "MPIR_CVAR_CH4_NETMOD", "MPIR_CVAR_NOLOCAL",
    "UCX_NET_DEVICES", "I_MPI_OFI_PROVIDER", "MPIR_CVAR_CH4_SHM",
};

/// Words with single blanks between, without what separates the parts of a fingerprint.
std::string tidy(std::string_view text) {
    std::string words;
    for (const char character : text) {
        const bool is_blank = std::isspace(static_cast<unsigned char>(character)) != 0;
        if (is_blank && (words.empty() || words.back() == ' ')) continue;
        words += is_blank ? ' ' : character == '|' ? '/' : character;
    }
    while (!words.empty() && words.back() == ' ') words.pop_back();
    return words;
}

/// "Open MPI v5.0.11, package: ..." and "MPICH Version:      5.0.2\n..." go on with who built it.
std::string short_version(std::string_view library_version) {
    const std::string_view line = library_version.substr(0, library_version.find('\n'));
    const std::string name = tidy(line.substr(0, line.find(',')));
    return name.empty() ? "unknown MPI" : name;
}

std::string processor() {
    std::ifstream cpuinfo("/proc/cpuinfo");
    for (std::string line; std::getline(cpuinfo, line);) {
        if (!line.starts_with("model name")) continue;
        const auto colon = line.find(':');
        if (colon != std::string::npos) return tidy(std::string_view(line).substr(colon + 1));
    }
    return "unknown processor";
}

std::string fabric_settings() {
    std::string settings;
    for (const char* name : fabric_variables) {
        const char* value = std::getenv(name);
        if (value == nullptr || *value == 0) continue;
        settings += (settings.empty() ? "" : " ") + std::string(name) + "=" + tidy(value);
    }
    return settings.empty() ? "default" : settings;
}

[[noreturn]] void refuse(std::string_view text) {
    throw std::invalid_argument("\"" + std::string(text) +
                                "\" is no fingerprint; expected LIBRARY | PROCESSOR | N cores | "
                                "NODESxRANKS ranks | FABRIC fabric");
}

/// Takes the next part from the front of `rest`, without `ending`, which it must have.
std::string_view take(std::string_view& rest, std::string_view ending, std::string_view whole) {
    const auto end = rest.find(separator);
    std::string_view part = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + separator.size());
    if (!part.ends_with(ending)) refuse(whole);
    part.remove_suffix(ending.size());
    if (part.empty()) refuse(whole);
    return part;
}

std::int32_t number(std::string_view digits, std::string_view whole) {
    const auto value = whole_number<std::int32_t>(digits);
    if (!value || *value < 1) refuse(whole);
    return *value;
}

}  // namespace

std::string Fingerprint::text() const {
    const std::string between(separator);
    return library + between + node + between + std::to_string(cores) + " cores" + between +
           std::to_string(nodes) + "x" + std::to_string(ranks_per_node) + " ranks" + between +
           fabric + " fabric";
}

Fingerprint read_fingerprint(std::string_view text) {
    Fingerprint fingerprint;
    std::string_view rest = text;
    fingerprint.library = take(rest, "", text);
    fingerprint.node = take(rest, "", text);
    fingerprint.cores = number(take(rest, " cores", text), text);
    const std::string_view ranks = take(rest, " ranks", text);
    const auto cross = std::min(ranks.find('x'), ranks.size());
    fingerprint.nodes = number(ranks.substr(0, cross), text);
    fingerprint.ranks_per_node = number(ranks.substr(std::min(cross + 1, ranks.size())), text);
    fingerprint.fabric = take(rest, " fabric", text);
    if (!rest.empty()) refuse(text);
    return fingerprint;
}

Fingerprint fingerprint_of_run(std::string_view library_version, const Placement& placement) {
    const long cores = ::sysconf(_SC_NPROCESSORS_ONLN);
    return {.library = short_version(library_version),
            .node = processor(),
            .cores = static_cast<std::int32_t>(std::max(1L, cores)),
            .nodes = placement.nodes(),
            .ranks_per_node = placement.most_ranks_on_a_node(),
            .fabric = fabric_settings()};
}

}  // namespace tasuki

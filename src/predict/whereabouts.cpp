#include "predict/whereabouts.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <linux/magic.h>
#include <string>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <unordered_map>

namespace tasuki {

namespace {

constexpr const char* boot_file = "/proc/sys/kernel/random/boot_id";

/// By every name by which MPICH and Cray MPICH read it.
bool sees_other_nodes() {
    constexpr std::array prefixes{"MPIR_CVAR_", "MPIR_CVAR_CH3_", "MPIR_PARAM_", "MPICH_"};
    constexpr std::array settings{"NOLOCAL", "NO_LOCAL", "NUM_CLIQUES", "ODD_EVEN_CLIQUES",
                                  "EVEN_ODD_CLIQUES"};
    return std::ranges::any_of(prefixes, [&](const char* prefix) {
        return std::ranges::any_of(settings, [&](const char* setting) {
            return std::getenv((std::string(prefix) + setting).c_str()) != nullptr;
        });
    });
}

/// "794157b0-521d-4446-...": its first 16 digits. Containers may have a file of their own there,
/// which is another one for each.
std::uint64_t own_boot() {
    struct statfs system{};
    if (statfs(boot_file, &system) != 0 || system.f_type != PROC_SUPER_MAGIC) return 0;
    std::string text;
    std::ifstream(boot_file) >> text;
    std::erase(text, '-');
    std::uint64_t boot = 0;
    constexpr int base = 16;
    const char* const end = text.data() + std::min<std::size_t>(text.size(), 16);
    const auto [stopped, error] = std::from_chars(text.data(), end, boot, base);
    return error == std::errc() && stopped == end ? boot : 0;
}

/// Without the thread.
Whereabouts found_here() {
    struct stat numbering{};
    if (sees_other_nodes() || stat("/proc/self/ns/pid", &numbering) != 0) return {};
    std::array<char, 256> name{};
    gethostname(name.data(), name.size() - 1);
    const std::string both = std::string(name.data()) + ' ' + std::to_string(numbering.st_ino);
    return {own_boot(), static_cast<std::uint32_t>(std::hash<std::string>{}(both)), 0};
}

}  // namespace

Whereabouts own_whereabouts() {
    static const Whereabouts here = found_here();
    return {here.boot, here.surroundings, gettid()};
}

std::optional<std::vector<std::int32_t>> nodes_of(std::span<const Whereabouts> ranks) {
    struct Node {
        std::int32_t number;
        std::uint32_t surroundings;
    };
    std::unordered_map<std::uint64_t, Node> nodes;
    std::vector<std::int32_t> numbers;
    numbers.reserve(ranks.size());
    for (const Whereabouts& rank : ranks) {
        const Node next{static_cast<std::int32_t>(nodes.size()), rank.surroundings};
        const Node& node = nodes.try_emplace(rank.boot, next).first->second;
        if (rank.boot == 0 || node.surroundings != rank.surroundings) return std::nullopt;
        numbers.push_back(node.number);
    }
    return numbers;
}

}  // namespace tasuki

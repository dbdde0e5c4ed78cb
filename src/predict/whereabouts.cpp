#include "predict/whereabouts.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <unordered_map>

namespace tasuki {

namespace {

bool sees_other_nodes() {
    constexpr std::array settings{"MPIR_CVAR_NOLOCAL", "MPIR_CVAR_NUM_CLIQUES",
                                  "MPIR_CVAR_ODD_EVEN_CLIQUES"};
    return std::ranges::any_of(settings, [](const char* name) { return std::getenv(name); });
}

/// "794157b0-521d-4446-...": its first 16 digits.
std::uint64_t own_boot() {
    if (sees_other_nodes()) return 0;
    std::string text;
    std::ifstream("/proc/sys/kernel/random/boot_id") >> text;
    std::erase(text, '-');
    std::uint64_t boot = 0;
    constexpr int base = 16;
    const char* const end = text.data() + std::min<std::size_t>(text.size(), 16);
    const auto [stopped, error] = std::from_chars(text.data(), end, boot, base);
    return error == std::errc() && stopped == end ? boot : 0;
}

std::uint32_t own_surroundings() {
    std::array<char, 256> name{};
    gethostname(name.data(), name.size() - 1);
    struct stat status{};
    if (stat("/proc/self/ns/pid", &status) != 0) return 0;
    const std::string both = std::string(name.data()) + ' ' + std::to_string(status.st_ino);
    return static_cast<std::uint32_t>(std::hash<std::string>{}(both));
}

}  // namespace

Whereabouts own_whereabouts() {
    static const std::uint64_t boot = own_boot();
    static const std::uint32_t surroundings = own_surroundings();
    return {boot, surroundings, gettid()};
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

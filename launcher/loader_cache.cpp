#include "launcher/loader_cache.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace tasuki::launcher {

namespace {

// The format of glibc since 2.2 (sysdeps/generic/dl-cache.h). Its offsets count from its header,
// which lies at the start of the file, or after an older table of the same libraries.
constexpr std::string_view magic = "glibc-ld.so.cache1.1";

struct Header {
    char magic[20];
    std::uint32_t libraries;
    std::uint32_t string_bytes;
    std::uint32_t unused[5];
};
static_assert(sizeof(Header) == 48);

struct Entry {
    std::int32_t flags;
    std::uint32_t name;
    std::uint32_t path;
    std::uint32_t os_version;
    std::uint64_t hardware;
};
static_assert(sizeof(Entry) == 24);

std::string_view string_at(std::string_view table, std::uint32_t offset) {
    if (offset >= table.size()) return {};
    const std::string_view rest = table.substr(offset);
    const std::size_t end = rest.find('\0');
    return end == std::string_view::npos ? std::string_view{} : rest.substr(0, end);
}

}  // namespace

std::vector<std::string> cached_paths(std::span<const std::byte> cache, std::string_view name) {
    std::string_view table(reinterpret_cast<const char*>(cache.data()), cache.size());
    const std::size_t start = table.find(magic);
    if (start == std::string_view::npos) return {};
    table.remove_prefix(start);
    Header header;
    if (table.size() < sizeof(header)) return {};
    std::memcpy(&header, table.data(), sizeof(header));
    const std::size_t room = (table.size() - sizeof(header)) / sizeof(Entry);
    const std::size_t libraries = std::min<std::size_t>(header.libraries, room);
    std::vector<std::string> paths;
    for (std::size_t i = 0; i < libraries; ++i) {
        Entry entry;
        std::memcpy(&entry, table.data() + sizeof(header) + i * sizeof(entry), sizeof(entry));
        if (string_at(table, entry.name) != name) continue;
        if (const std::string_view path = string_at(table, entry.path); !path.empty()) {
            paths.emplace_back(path);
        }
    }
    return paths;
}

}  // namespace tasuki::launcher

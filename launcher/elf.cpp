#include "launcher/elf.hpp"

#include <array>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <optional>

#include "sites/mapped_file.hpp"

namespace tasuki::launcher {

namespace {

using Bytes = std::span<const std::byte>;

#if defined(__x86_64__)
constexpr Elf64_Half own_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr Elf64_Half own_machine = EM_AARCH64;
#elif defined(__powerpc64__)
constexpr Elf64_Half own_machine = EM_PPC64;
#elif defined(__riscv)
constexpr Elf64_Half own_machine = EM_RISCV;
#else
#error "name this machine's e_machine here"
#endif
constexpr unsigned char own_byte_order =
    std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;

template <typename T>
std::optional<T> read_at(Bytes file, std::uint64_t offset) {
    if (offset > file.size() || file.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, file.data() + offset, sizeof(T));
    return value;
}

std::optional<std::string> string_at(Bytes file, std::uint64_t offset) {
    if (offset >= file.size()) return std::nullopt;
    const auto* start = reinterpret_cast<const char*>(file.data() + offset);
    const std::size_t length = strnlen(start, file.size() - offset);
    if (length == file.size() - offset) return std::nullopt;
    return std::string(start, length);
}

/// The program headers, or nothing if they reach over the end of the file.
std::optional<std::vector<Elf64_Phdr>> read_segments(Bytes file, const Elf64_Ehdr& header) {
    std::vector<Elf64_Phdr> segments;
    if (header.e_phnum != 0 && header.e_phentsize != sizeof(Elf64_Phdr)) return std::nullopt;
    if (header.e_phoff > file.size()) return std::nullopt;
    for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
        const auto segment = read_at<Elf64_Phdr>(file, header.e_phoff + i * sizeof(Elf64_Phdr));
        if (!segment) return std::nullopt;
        segments.push_back(*segment);
    }
    return segments;
}

/// Where in the file the byte at `address` of the loaded image comes from.
std::optional<std::uint64_t> file_offset(const std::vector<Elf64_Phdr>& segments,
                                         std::uint64_t address) {
    for (const Elf64_Phdr& segment : segments) {
        if (segment.p_type != PT_LOAD || address < segment.p_vaddr) continue;
        const std::uint64_t inside = address - segment.p_vaddr;
        if (inside < segment.p_filesz) return segment.p_offset + inside;
    }
    return std::nullopt;
}

std::vector<Elf64_Dyn> read_dynamic(Bytes file, const Elf64_Phdr& segment) {
    std::vector<Elf64_Dyn> entries;
    for (std::uint64_t at = 0; at < segment.p_filesz; at += sizeof(Elf64_Dyn)) {
        const auto entry = read_at<Elf64_Dyn>(file, segment.p_offset + at);
        if (!entry || entry->d_tag == DT_NULL) break;
        entries.push_back(*entry);
    }
    return entries;
}

/// Adds what the dynamic section says to `facts`; false if it contradicts itself.
bool read_names(Bytes file, const std::vector<Elf64_Phdr>& segments,
                const std::vector<Elf64_Dyn>& entries, ElfFacts& facts) {
    std::optional<std::uint64_t> strings;
    for (const Elf64_Dyn& entry : entries) {
        if (entry.d_tag == DT_STRTAB) strings = file_offset(segments, entry.d_un.d_ptr);
    }
    for (const Elf64_Dyn& entry : entries) {
        const bool named = entry.d_tag == DT_NEEDED || entry.d_tag == DT_SONAME ||
                           entry.d_tag == DT_RPATH || entry.d_tag == DT_RUNPATH;
        if (!named) continue;
        if (!strings || entry.d_un.d_val > file.size()) return false;
        const auto name = string_at(file, *strings + entry.d_un.d_val);
        if (!name) return false;
        if (entry.d_tag == DT_NEEDED) facts.needed.push_back(*name);
        if (entry.d_tag == DT_SONAME) facts.soname = *name;
        if (entry.d_tag == DT_RPATH) facts.rpath = *name;
        if (entry.d_tag == DT_RUNPATH) facts.runpath = *name;
    }
    return true;
}

}  // namespace

ElfFacts read_elf(Bytes file) {
    ElfFacts facts;
    if (file.size() < SELFMAG || std::memcmp(file.data(), ELFMAG, SELFMAG) != 0) return facts;
    facts.kind = ElfKind::malformed;
    const auto identity = read_at<std::array<unsigned char, EI_NIDENT>>(file, 0);
    if (!identity) return facts;
    const auto header = read_at<Elf64_Ehdr>(file, 0);
    const bool same_form =
        (*identity)[EI_CLASS] == ELFCLASS64 && (*identity)[EI_DATA] == own_byte_order;
    if (!same_form || (header && header->e_machine != own_machine)) {
        facts.kind = ElfKind::foreign;
        return facts;
    }
    if (!header) return facts;
    const auto segments = read_segments(file, *header);
    if (!segments) return facts;
    for (const Elf64_Phdr& segment : *segments) {
        if (segment.p_type == PT_INTERP) {
            const auto interpreter = string_at(file, segment.p_offset);
            if (!interpreter) return facts;
            facts.interpreter = *interpreter;
        }
        if (segment.p_type != PT_DYNAMIC) continue;
        if (!read_names(file, *segments, read_dynamic(file, segment), facts)) return facts;
    }
    facts.kind = ElfKind::native;
    return facts;
}

ElfFacts read_elf_file(const std::string& path) {
    const MappedFile file(path);
    ElfFacts facts = read_elf(file.bytes());
    if (file.error() != 0 && file.error() != ENOENT) facts.kind = ElfKind::unreadable;
    return facts;
}

}  // namespace tasuki::launcher

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace tasuki::launcher {

enum class ElfKind {
    none,        ///< not an ELF file: a script, or anything else, or there is no file
    unreadable,  ///< a file that cannot be opened, so it may be any of the others
    foreign,     ///< for another architecture or word size than the launcher's own
    malformed,   ///< claims to be ELF and contradicts itself
    native,
};

/// What the dynamic loader would read from a program or a library.
struct ElfFacts {
    ElfKind kind = ElfKind::none;
    std::string interpreter;  ///< the loader; a program without one is static: it takes no preload
    std::vector<std::string> needed;
    std::string soname;
    std::string rpath;
    std::string runpath;
};

/// Reads any bytes: whatever they are, the answer is one of the kinds, never a crash.
ElfFacts read_elf(std::span<const std::byte> file);

/// The same of a file.
ElfFacts read_elf_file(const std::string& path);

}  // namespace tasuki::launcher

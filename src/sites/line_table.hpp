// Which line of which file an address was compiled from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace tasuki {

struct SourceLine {
    std::string file;  ///< as the compiler was told it, without the folder where it ran
    std::uint64_t line = 0;
};

/// The sections of one file that hold DWARF line tables (DWARF 5, section 6.2). Any bytes may be
/// given: what makes no sense is passed over.
struct LineTable {
    std::span<const std::byte> lines;       ///< .debug_line
    std::span<const std::byte> line_texts;  ///< .debug_line_str
    std::span<const std::byte> texts;       ///< .debug_str

    /// `address` as the file counts addresses. Nothing where no table tells.
    /// Cost: proportional to the tables.
    std::optional<SourceLine> find(std::uint64_t address) const;
};

}  // namespace tasuki

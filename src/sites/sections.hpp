// The sections of a program's or a library's file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tasuki {

/// Sections of a 64-bit ELF file of this machine's byte order; of anything else there are none.
class Sections {
  public:
    /// `file` holds as long as this does.
    explicit Sections(std::span<const std::byte> file);

    /// Empty where there is none of that name, or it is compressed.
    std::span<const std::byte> find(std::string_view name) const;

    /// The function at `address`, as the file counts addresses, from its symbol table; "" where no
    /// function is. C++ names are made readable.
    std::string function_at(std::uint64_t address) const;

  private:
    std::string symbol_at(std::uint64_t address, std::string_view symbols,
                          std::string_view names) const;

    std::span<const std::byte> file_;
    std::uint64_t headers_ = 0;  // offset of the section headers
    std::uint64_t count_ = 0;
    std::uint64_t names_ = 0;  // the section that has the names of all
};

}  // namespace tasuki

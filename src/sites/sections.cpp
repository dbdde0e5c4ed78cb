#include "sites/sections.hpp"

#include <bit>
#include <cstdlib>
#include <cxxabi.h>
#include <elf.h>
#include <memory>

#include "sites/bytes_reader.hpp"

namespace tasuki {

namespace {

constexpr unsigned char own_byte_order =
    std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;

std::span<const std::byte> part(std::span<const std::byte> file, std::uint64_t offset,
                                std::uint64_t size) {
    BytesReader reader(file);
    reader.take(offset);
    return reader.take(size);
}

std::string_view text_at(std::span<const std::byte> texts, std::uint64_t offset) {
    BytesReader reader(texts);
    reader.take(offset);
    return reader.text();
}

std::string readable(const std::string& name) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
    return name.starts_with("_Z") && text != nullptr ? text.get() : name;
}

}  // namespace

Sections::Sections(std::span<const std::byte> file) : file_(file) {
    BytesReader reader(file);
    const auto header = reader.number<Elf64_Ehdr>();
    const bool is_elf = std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
                        header.e_ident[EI_CLASS] == ELFCLASS64 &&
                        header.e_ident[EI_DATA] == own_byte_order;
    if (!is_elf || header.e_shentsize != sizeof(Elf64_Shdr)) return;
    headers_ = header.e_shoff;
    count_ = header.e_shnum;
    names_ = header.e_shstrndx;
}

std::span<const std::byte> Sections::find(std::string_view name) const {
    const auto header = [&](std::uint64_t number) {
        BytesReader reader(part(file_, headers_ + number * sizeof(Elf64_Shdr), sizeof(Elf64_Shdr)));
        return reader.number<Elf64_Shdr>();
    };
    if (names_ >= count_) return {};
    const Elf64_Shdr all_names = header(names_);
    const auto names = part(file_, all_names.sh_offset, all_names.sh_size);
    for (std::uint64_t number = 0; number < count_; ++number) {
        const Elf64_Shdr section = header(number);
        if (section.sh_type == SHT_NOBITS || (section.sh_flags & SHF_COMPRESSED) != 0) continue;
        if (text_at(names, section.sh_name) != name) continue;
        return part(file_, section.sh_offset, section.sh_size);
    }
    return {};
}

std::string Sections::function_at(std::uint64_t address) const {
    const std::string found = symbol_at(address, ".symtab", ".strtab");
    return readable(found.empty() ? symbol_at(address, ".dynsym", ".dynstr") : found);
}

std::string Sections::symbol_at(std::uint64_t address, std::string_view symbols,
                                std::string_view names) const {
    BytesReader reader(find(symbols));
    while (!reader.is_at_end()) {
        const auto symbol = reader.number<Elf64_Sym>();
        if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) continue;
        if (address < symbol.st_value || address - symbol.st_value >= symbol.st_size) continue;
        return std::string(text_at(find(names), symbol.st_name));
    }
    return {};
}

}  // namespace tasuki

#include "interpose/build_id.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <link.h>
#include <string_view>

namespace tasuki::interpose {

namespace {

constexpr std::size_t digits = 12;

struct Search {
    std::uintptr_t inside;  // an address of this library
    std::string found;
};

bool holds(const dl_phdr_info& module, std::uintptr_t address) {
    for (int i = 0; i < module.dlpi_phnum; ++i) {
        const ElfW(Phdr) & part = module.dlpi_phdr[i];
        const std::uintptr_t begin = module.dlpi_addr + part.p_vaddr;
        if (part.p_type == PT_LOAD && address >= begin && address < begin + part.p_memsz) {
            return true;
        }
    }
    return false;
}

std::string hexadecimal(const unsigned char* bytes, std::size_t size) {
    constexpr std::string_view letters = "0123456789abcdef";
    std::string text;
    for (std::size_t i = 0; i < size && text.size() < digits; ++i) {
        text += letters[bytes[i] >> 4];
        text += letters[bytes[i] & 15];
    }
    return text;
}

/// Notes stand one behind the other: a head, a name and a description, in words of four bytes.
std::string id_among_notes(const unsigned char* notes, std::size_t size) {
    const auto in_words = [](std::size_t bytes) { return (bytes + 3) / 4 * 4; };
    std::size_t place = 0;
    while (place + sizeof(ElfW(Nhdr)) <= size) {
        ElfW(Nhdr) head;
        std::memcpy(&head, notes + place, sizeof head);
        const std::size_t name = place + sizeof head;
        const std::size_t content = name + in_words(head.n_namesz);
        const std::size_t next = content + in_words(head.n_descsz);
        if (next > size) break;
        const bool is_gnu = head.n_namesz == 4 && std::memcmp(notes + name, "GNU", 4) == 0;
        if (is_gnu && head.n_type == NT_GNU_BUILD_ID) {
            return hexadecimal(notes + content, head.n_descsz);
        }
        place = next;
    }
    return {};
}

int look_for_build_id(dl_phdr_info* module, std::size_t, void* data) {
    Search& search = *static_cast<Search*>(data);
    if (!holds(*module, search.inside)) return 0;
    for (int i = 0; i < module->dlpi_phnum && search.found.empty(); ++i) {
        const ElfW(Phdr) & part = module->dlpi_phdr[i];
        if (part.p_type != PT_NOTE) continue;
        search.found = id_among_notes(
            reinterpret_cast<const unsigned char*>(module->dlpi_addr + part.p_vaddr), part.p_memsz);
    }
    return 1;
}

}  // namespace

std::string build_id() {
    Search search{reinterpret_cast<std::uintptr_t>(&look_for_build_id), {}};
    dl_iterate_phdr(look_for_build_id, &search);
    return search.found;
}

}  // namespace tasuki::interpose

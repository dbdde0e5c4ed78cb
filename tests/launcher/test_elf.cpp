#include <algorithm>
#include <cstring>
#include <elf.h>
#include <gtest/gtest.h>
#include <random>

#include "launcher/elf.hpp"
#include "sites/mapped_file.hpp"
#include "temporary_folder.hpp"

namespace tasuki::launcher {
namespace {

const std::string linked = SAMPLES "/launcher_linked";

std::vector<std::byte> bytes_of(const std::string& path) {
    const MappedFile file(path);
    return {file.bytes().begin(), file.bytes().end()};
}

TEST(Elf, ProgramTellsWhatItNeeds) {
    const ElfFacts facts = read_elf_file(linked);
    EXPECT_EQ(facts.kind, ElfKind::native);
    EXPECT_TRUE(facts.interpreter.starts_with("/")) << facts.interpreter;
    EXPECT_NE(std::find(facts.needed.begin(), facts.needed.end(), "libmpi.so.12"),
              facts.needed.end());
    EXPECT_EQ(facts.soname, "");
}

TEST(Elf, LibraryTellsItsName) {
    const ElfFacts facts = read_elf_file(SAMPLES "/libmpi.so.12");
    EXPECT_EQ(facts.kind, ElfKind::native);
    EXPECT_EQ(facts.interpreter, "");
    EXPECT_EQ(facts.soname, "libmpi.so.12");
}

TEST(Elf, RpathAndRunpathAreKeptApart) {
    EXPECT_EQ(read_elf_file(SAMPLES "/launcher_by_rpath").rpath, "$ORIGIN");
    EXPECT_EQ(read_elf_file(SAMPLES "/launcher_by_rpath").runpath, "");
    EXPECT_EQ(read_elf_file(SAMPLES "/launcher_by_runpath").rpath, "");
    EXPECT_EQ(read_elf_file(SAMPLES "/launcher_by_runpath").runpath, "$ORIGIN");
}

TEST(Elf, WhatIsNoElfIsNone) {
    TemporaryFolder folder;
    EXPECT_EQ(read_elf({}).kind, ElfKind::none);
    EXPECT_EQ(read_elf_file(folder.path()).kind, ElfKind::none);
    EXPECT_EQ(read_elf_file(folder.path() + "/none").kind, ElfKind::none);
    EXPECT_EQ(read_elf_file(folder.write("script", "#!/bin/sh\n")).kind, ElfKind::none);
    EXPECT_EQ(read_elf_file(folder.write("empty", "")).kind, ElfKind::none);
}

TEST(Elf, OtherArchitecturesAreForeign) {
    std::vector<std::byte> file = bytes_of(linked);
    file[EI_CLASS] = std::byte{ELFCLASS32};
    EXPECT_EQ(read_elf(file).kind, ElfKind::foreign);
    file = bytes_of(linked);
    file[offsetof(Elf64_Ehdr, e_machine)] ^= std::byte{0xff};
    EXPECT_EQ(read_elf(file).kind, ElfKind::foreign);
}

TEST(Elf, EveryTruncationIsSurvived) {
    const std::vector<std::byte> file = bytes_of(linked);
    const std::size_t step = std::max<std::size_t>(1, file.size() / 20000);
    for (std::size_t size = 0; size < file.size(); size += step) {
        // A copy of that size, so that a sanitizer sees any read beyond it.
        const std::vector<std::byte> part(file.begin(),
                                          file.begin() + static_cast<std::ptrdiff_t>(size));
        read_elf(part);
    }
    EXPECT_EQ(read_elf(std::span(file).first(sizeof(Elf64_Ehdr))).kind, ElfKind::malformed);
}

TEST(Elf, DamageIsSurvived) {
    const std::vector<std::byte> whole = bytes_of(linked);
    std::mt19937 random(7);
    // The headers and the dynamic section are what is read; most of a file is not.
    const std::size_t headers = sizeof(Elf64_Ehdr) + 16 * sizeof(Elf64_Phdr);
    for (int round = 0; round < 20000; ++round) {
        std::vector<std::byte> file = whole;
        for (int change = 0; change <= round % 8; ++change) {
            const std::size_t limit = change % 2 == 0 ? headers : file.size();
            file[4 + random() % (limit - 4)] = std::byte(random());
        }
        read_elf(file);
    }
}

TEST(Elf, NumbersAtTheEndOfTheirRangeAreSurvived) {
    const std::vector<std::byte> whole = bytes_of(linked);
    for (std::size_t at = 4; at + 8 <= sizeof(Elf64_Ehdr) + 16 * sizeof(Elf64_Phdr); at += 2) {
        for (const std::uint64_t value : {~0ULL, ~0ULL - 7, 1ULL << 63, 0ULL}) {
            std::vector<std::byte> file = whole;
            std::memcpy(file.data() + at, &value, sizeof(value));
            read_elf(file);
        }
    }
}

}  // namespace
}  // namespace tasuki::launcher

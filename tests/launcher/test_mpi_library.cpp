#include <gtest/gtest.h>

#include "launcher/mpi_library.hpp"
#include "temporary_folder.hpp"

namespace tasuki::launcher {
namespace {

std::optional<MpiLink> link_of(const std::string& path, const std::string& library_path = "") {
    return linked_mpi(path, read_elf_file(path), LibrarySearch(library_path));
}

TEST(MpiLibrary, NamesAndInterfacesAgree) {
    for (const Abi abi : {Abi::openmpi, Abi::mpich, Abi::mpi_abi}) {
        EXPECT_EQ(abi_named(abi_name(abi)), abi);
        for (const std::string& soname : sonames_of(abi)) EXPECT_EQ(abi_of_soname(soname), abi);
    }
    EXPECT_EQ(abi_named("lam"), std::nullopt);
    EXPECT_EQ(abi_named("uncovered"), std::nullopt);
    EXPECT_EQ(abi_of_soname("libmpi.so"), std::nullopt);
    EXPECT_EQ(abi_of_soname("libmpi_ilp64.so.4"), Abi::uncovered);
}

TEST(MpiLibrary, DirectLinkIsFound) {
    const auto link = link_of(SAMPLES "/launcher_linked");
    ASSERT_TRUE(link);
    EXPECT_EQ(link->abi, Abi::mpich);
    EXPECT_EQ(link->soname, "libmpi.so.12");
}

TEST(MpiLibrary, RpathHoldsForLibrariesOfLibraries) {
    ASSERT_TRUE(link_of(SAMPLES "/launcher_by_rpath"));
    EXPECT_EQ(link_of(SAMPLES "/launcher_by_rpath")->abi, Abi::mpich);
}

TEST(MpiLibrary, RunpathHoldsForTheProgramOnly) {
    EXPECT_FALSE(link_of(SAMPLES "/launcher_by_runpath"));
    EXPECT_TRUE(link_of(SAMPLES "/launcher_by_runpath", SAMPLES));
}

TEST(MpiLibrary, OriginOfALinkedProgramIsItsRealFolder) {
    TemporaryFolder folder;
    const std::string link = folder.path() + "/program";
    std::filesystem::create_symlink(SAMPLES "/launcher_by_rpath", link);
    EXPECT_TRUE(link_of(link));
}

TEST(MpiLibrary, ProgramWithoutMpiHasNone) {
    EXPECT_FALSE(link_of("/bin/sh"));
}

}  // namespace
}  // namespace tasuki::launcher

#include <filesystem>
#include <gtest/gtest.h>

#include "sites/module_address.hpp"
#include "sites/source.hpp"

namespace tasuki {

/// Where this function was called, as a call site is found.
[[gnu::noinline]] ModuleAddress caller() {
    const auto* behind = static_cast<const char*>(__builtin_return_address(0));
    return locate(behind - 1);
}

namespace {

TEST(Source, ACallIsFoundInTheProgramsOwnLines) {
    const int line = __LINE__ + 1;
    const ModuleAddress address = caller();
    const Source source = find_source(address.module, address.offset);
    EXPECT_EQ(address.module, std::filesystem::read_symlink("/proc/self/exe").string());
    EXPECT_TRUE(source.file.ends_with("test_source.cpp")) << source.file;
    EXPECT_EQ(source.line, line);
    EXPECT_NE(source.function.find("TestBody"), std::string::npos) << source.function;
}

TEST(Source, OfWhatIsNoProgramNothingIsKnown) {
    for (const char* file : {"/no/such/file", "/proc/self/maps", "/dev/null", __FILE__}) {
        const Source source = find_source(file, 0x1234);
        EXPECT_EQ(source.file + source.function, "") << file;
        EXPECT_EQ(source.line, 0u);
    }
}

TEST(ModuleAddress, AnAddressOfNoFileIsNowhere) {
    int here = 0;
    EXPECT_EQ(locate(&here).module, "");
}

TEST(ModuleAddress, MpiLibrariesAreKnownByName) {
    for (const char* path :
         {"/opt/lib/libmpi.so.40", "libmpifort.so.12", "/x/libmpi_mpifh.so.40.30", "libmpich.so.12",
          "libmpichfort.so.12", "libmpi_abi.so.1"}) {
        EXPECT_TRUE(is_mpi_library(path)) << path;
    }
    for (const char* path : {"/opt/libmpi.so/app", "libmpiwrapper.so", "app", ""}) {
        EXPECT_FALSE(is_mpi_library(path)) << path;
    }
}

}  // namespace
}  // namespace tasuki

#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>

#include "launcher/loader_cache.hpp"
#include "launcher/search_path.hpp"
#include "temporary_folder.hpp"

namespace tasuki::launcher {
namespace {

using List = std::vector<std::string>;

const std::string library = SAMPLES "/libmpi.so.12";

/// The bytes of a cache with one library, in the format of glibc.
std::string cache_with(const std::string& name, const std::string& path) {
    std::string cache = "glibc-ld.so.cache1.1";
    const auto add = [&cache](auto number) {
        cache.append(reinterpret_cast<const char*>(&number), sizeof(number));
    };
    add(std::uint32_t{1});
    add(static_cast<std::uint32_t>(name.size() + path.size() + 2));
    for (int i = 0; i < 5; ++i) add(std::uint32_t{0});
    const std::uint32_t strings = 48 + 24;
    add(std::int32_t{0x0303});
    add(strings);
    add(static_cast<std::uint32_t>(strings + name.size() + 1));
    add(std::uint32_t{0});
    add(std::uint64_t{0});
    return cache + name + '\0' + path + '\0';
}

List cached(const std::string& cache, std::string_view name) {
    return cached_paths(std::as_bytes(std::span(cache)), name);
}

TEST(SearchPath, ListsAreSplitAsTheLoaderDoes) {
    EXPECT_EQ(split_folders(""), List{});
    EXPECT_EQ(split_folders("/a:/b;/c d"), (List{"/a", "/b;/c d"}));
    EXPECT_EQ(split_folders("/a:/b;/c d", ":;"), (List{"/a", "/b", "/c d"}));
    EXPECT_EQ(split_folders(":/a:"), (List{".", "/a", "."}));
}

TEST(SearchPath, OriginIsReplaced) {
    EXPECT_EQ(expand_folders("$ORIGIN/../lib:${ORIGIN}:/b", "/o"), (List{"/o/../lib", "/o", "/b"}));
    EXPECT_EQ(expand_folders("$ORIGIN", "/$ORIGIN"), List{});  // no endless replacing
    EXPECT_EQ(expand_folders("/a/$LIB:/b", "/o"), List{"/b"});
    EXPECT_EQ(expand_folders("$ORIGIN/a;b", "/o"), List{"/o/a;b"});
}

TEST(SearchPath, OnlyLibrariesOfThisMachineAreFound) {
    TemporaryFolder folder;
    folder.write("text/libmpi.so.12", "no library");
    const std::string good = folder.copy(library, "good/libmpi.so.12");
    EXPECT_EQ(find_in({folder.path() + "/none", folder.path() + "/text", folder.path() + "/good"},
                      "libmpi.so.12"),
              good);
    EXPECT_EQ(find_in({folder.path()}, "libmpi.so.12"), "");
}

TEST(SearchPath, LibraryPathAndCacheAreSearched) {
    TemporaryFolder folder;
    const std::string path = folder.copy(library, "a/libfound.so.1");
    const std::string cache = folder.write("cache", cache_with("libfound.so.1", path));
    const LibrarySearch search(folder.path() + ":" + folder.path() + "/a", cache);
    EXPECT_EQ(search.find_by_user("libfound.so.1"), path);
    EXPECT_EQ(search.find_by_user("libother.so.1"), "");
    EXPECT_EQ(search.find_by_system("libfound.so.1"), path);
    EXPECT_EQ(search.find_by_system("libother.so.1"), "");
}

TEST(SearchPath, LibraryPathTakesSemicolonsToo) {
    TemporaryFolder folder;
    const std::string path = folder.copy(library, "a/libfound.so.1");
    const LibrarySearch search("/none;" + folder.path() + "/a", "/no/such/cache");
    EXPECT_EQ(search.find_by_user("libfound.so.1"), path);
}

TEST(SearchPath, DefaultFoldersAreTheLast) {
    const LibrarySearch search("", "/no/such/cache");
    EXPECT_NE(search.find_by_system("libc.so.6"), "");
}

TEST(LoaderCache, OwnCacheHasTheCLibrary) {
    const LibrarySearch search("");
    EXPECT_NE(search.find_by_system("libc.so.6").find("libc.so.6"), std::string::npos);
}

TEST(LoaderCache, AnOlderTableMayStandBefore) {
    const std::string cache = std::string("ld.so-1.7.0\0....", 16) + cache_with("liba.so", "/a");
    EXPECT_EQ(cached(cache, "liba.so"), List{"/a"});
}

TEST(LoaderCache, DamageIsSurvived) {
    const std::string whole = cache_with("liba.so", "/a/liba.so");
    EXPECT_EQ(cached(whole, "liba.so"), List{"/a/liba.so"});
    EXPECT_EQ(cached("", "liba.so"), List{});
    for (std::size_t size = 0; size < whole.size(); ++size) {
        cached(std::string(whole, 0, size), "liba.so");
    }
    for (std::size_t at = 20; at + 4 <= 72; ++at) {
        std::string damaged = whole;
        std::memset(damaged.data() + at, 0xff, 4);
        cached(damaged, "liba.so");
    }
}

}  // namespace
}  // namespace tasuki::launcher

// Where the pages of a segment lie on nodes of several NUMA domains.
#include <array>
#include <cerrno>
#include <cstring>
#include <gtest/gtest.h>
#include <numeric>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "transport/memory/domains.hpp"
#include "transport/memory/segment.hpp"

namespace tasuki::test {
namespace {

using memory::Geometry;
using memory::page_bytes;
using memory::Segment;

constexpr std::int32_t ranks = 8;

/// The places of a segment's pages that take memory.
std::vector<std::size_t> pages_taken(std::byte* base, std::size_t bytes) {
    std::vector<unsigned char> pages(bytes / page_bytes);
    EXPECT_EQ(mincore(base, bytes, pages.data()), 0);
    std::vector<std::size_t> taken;
    for (std::size_t page = 0; page < pages.size(); ++page) {
        if ((pages[page] & 1) != 0) taken.push_back(page * page_bytes);
    }
    return taken;
}

TEST(Domains, ListsOfTheSystemAreRead) {
    EXPECT_FALSE(memory::names_several_domains(""));
    EXPECT_FALSE(memory::names_several_domains("0"));
    EXPECT_FALSE(memory::names_several_domains("12"));
    EXPECT_TRUE(memory::names_several_domains("0-1"));
    EXPECT_TRUE(memory::names_several_domains("0,8"));
}

// Where the system does not let us say where pages come from.
TEST(Domains, TheOwnerTouchesWhatItLooksAtAndNoBlocks) {
    const Geometry geometry = Geometry::within(std::size_t{8} << 20, ranks);
    const std::size_t bytes = geometry.segment_bytes();
    const int file = memfd_create("test", 0);
    ASSERT_EQ(ftruncate(file, static_cast<off_t>(bytes)), 0);
    void* const mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ASSERT_NE(mapped, MAP_FAILED);
    auto* const base = static_cast<std::byte*>(mapped);
    EXPECT_EQ(pages_taken(base, bytes), std::vector<std::size_t>{});
    memory::touch_what_is_looked_at(base, geometry);
    std::vector<std::size_t> expected = {0};
    for (std::int32_t sender = 0; sender < ranks; ++sender) {
        const std::size_t box = geometry.fixed_bytes() + sender * geometry.box_bytes();
        expected.push_back(box);
        expected.push_back(box + page_bytes);
    }
    EXPECT_EQ(pages_taken(base, bytes), expected);
    munmap(mapped, bytes);
    close(file);
}

TEST(Domains, PagesComeFromTheOwnersDomainWhoeverTouchesThem) {
    unsigned cpu = 0;
    unsigned domain = 0;
    ASSERT_EQ(syscall(SYS_getcpu, &cpu, &domain, nullptr), 0);
    const Segment segment = Segment::create(Geometry::within(std::size_t{8} << 20, ranks));
    auto* const base = reinterpret_cast<std::byte*>(&segment.front());
    constexpr unsigned long of_address = 2;  // MPOL_F_ADDR
    int mode = -1;
    std::array<unsigned long, 16> domains{};
    if (syscall(SYS_get_mempolicy, &mode, domains.data(), 64 * domains.size(), base, of_address) !=
        0) {
        GTEST_SKIP() << "this system tells nothing of where memory lies: " << std::strerror(errno);
    }
    if (mode == 0) GTEST_SKIP() << "this system does not let us say where memory is to lie";
    EXPECT_EQ(mode, 1);  // MPOL_PREFERRED
    // The scheduler may have moved us between our question and the segment's.
    const std::string online = memory::domains_of_this_node();
    if (!memory::names_several_domains(online)) {
        EXPECT_EQ(domains[0], 1UL << domain);
    }
    ASSERT_NE(domains[0], 0U);
    std::byte* const block = segment.blocks(ranks - 1);
    std::thread([&] { *block = std::byte{1}; }).join();
    std::array<void*, 1> page = {block};
    std::array<int, 1> lies = {-1};
    if (syscall(SYS_move_pages, 0, 1UL, page.data(), nullptr, lies.data(), 0) != 0) {
        GTEST_SKIP() << "this system does not tell where a page lies: " << std::strerror(errno);
    }
    ASSERT_GE(lies[0], 0);
    EXPECT_NE(domains[0] & 1UL << lies[0], 0U);
}

}  // namespace
}  // namespace tasuki::test

#include <cstring>
#include <gtest/gtest.h>
#include <vector>

#include "transport/memory/copy_block.hpp"

namespace tasuki::memory {
namespace {

constexpr std::size_t line = 64;
constexpr auto untouched = std::byte{0xee};

std::vector<std::byte> numbered(std::size_t bytes) {
    std::vector<std::byte> values(bytes);
    for (std::size_t i = 0; i < bytes; ++i) values[i] = static_cast<std::byte>(i * 7 + i / 256);
    return values;
}

void read_by_strings(std::byte* to, const std::byte* from, std::size_t bytes) {
    read_block(to, from, bytes, ReadBy::strings);
}

void read_wide(std::byte* to, const std::byte* from, std::size_t bytes) {
    read_block(to, from, bytes, ReadBy::wide);
}

std::vector<Copy> all_copies() {
    std::vector<Copy> copies = copies_here();
    copies.insert(copies.end(), {fill_block, read_by_strings, read_wide});
    return copies;
}

void expect_copies(Copy copy, std::size_t bytes, std::size_t from, std::size_t to) {
    const std::vector<std::byte> source = numbered(from + bytes);
    std::vector<std::byte> target(to + bytes + line, untouched);
    copy(target.data() + to, source.data() + from, bytes);
    EXPECT_EQ(std::memcmp(target.data() + to, source.data() + from, bytes), 0)
        << bytes << " bytes from " << from << " to " << to;
    for (std::size_t i = 0; i < to; ++i) ASSERT_EQ(target[i], untouched);
    for (std::size_t i = to + bytes; i < target.size(); ++i) ASSERT_EQ(target[i], untouched);
}

TEST(CopyBlock, CopiesWhatItIsGivenAndNothingElse) {
    for (const Copy copy : all_copies()) {
        for (const std::size_t bytes : {64, 200, 256, 1000, 1023, 1024, 1025, 4096, 16384, 40001}) {
            for (const std::size_t from : {0, 1, 16, 63}) {
                for (const std::size_t to : {0, 1, 16, 32, 63}) {
                    expect_copies(copy, bytes, from, to);
                }
            }
        }
    }
}

TEST(CopyBlock, CopiesLessThanALine) {
    for (const Copy copy : {fill_block, read_by_strings, read_wide}) {
        for (std::size_t bytes = 0; bytes < line; ++bytes) expect_copies(copy, bytes, 3, 5);
    }
}

}  // namespace
}  // namespace tasuki::memory

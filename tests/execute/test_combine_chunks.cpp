#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "execute/characters.hpp"
#include "execute/copy_chunks.hpp"

namespace tasuki {
namespace {

constexpr std::int64_t width = 4;

/// Chunks of `width` characters, each beginning with one of `letters`.
std::vector<char> chunks_with(const std::string& letters) {
    std::vector<char> chunks(letters.size() * width, '\0');
    for (std::size_t i = 0; i < letters.size(); ++i) chunks[i * width] = letters[i];
    return chunks;
}

std::string chunk(const std::vector<char>& chunks, std::int32_t number) {
    return chunks.data() + number * width;
}

TEST(CombineChunks, PutsTheOperandOnItsSide) {
    for (Operand operand : {Operand::left, Operand::right}) {
        auto from = chunks_with("abc");
        auto to = chunks_with("xyz");
        combine_chunks(Buffer::contiguous(from.data(), width), input(0, 2), operand,
                       Buffer::contiguous(to.data(), width), output(1, 2), join_letters(width));
        EXPECT_EQ(chunk(to, 0), "x");
        EXPECT_EQ(chunk(to, 1), operand == Operand::left ? "ay" : "ya");
        EXPECT_EQ(chunk(to, 2), operand == Operand::left ? "bz" : "zb");
        EXPECT_EQ(chunk(from, 0), "a");
    }
}

TEST(CombineChunks, FollowsTheRegions) {
    auto from = chunks_with("abcdef");
    auto to = chunks_with("uvwxyz");
    combine_chunks(Buffer::contiguous(from.data(), width), strided(Space::input, 5, 3, 1, -2),
                   Operand::right, Buffer::contiguous(to.data(), width),
                   strided(Space::output, 0, 3, 2, 3), join_letters(width));
    EXPECT_EQ(chunk(to, 0), "uf");
    EXPECT_EQ(chunk(to, 1), "vd");
    EXPECT_EQ(chunk(to, 2), "w");
    EXPECT_EQ(chunk(to, 3), "xb");
}

TEST(CombineChunks, GivesARunAtATime) {
    std::vector<std::byte> from(64);
    std::vector<std::byte> to(64);
    std::vector<std::int64_t> runs;
    const Combine note = [&](const std::byte*, Operand, std::byte*, std::int64_t bytes) {
        runs.push_back(bytes);
    };
    combine_chunks(Buffer::contiguous(from.data(), 4), input(0, 10), Operand::left,
                   Buffer::contiguous(to.data(), 4), output(2, 10), note);
    EXPECT_EQ(runs, (std::vector<std::int64_t>{40}));
    combine_chunks(Buffer::contiguous(from.data(), 4), input(0, 0), Operand::left,
                   Buffer::contiguous(to.data(), 4), output(2, 0), note);
    EXPECT_EQ(runs.size(), 1U);
}

}  // namespace
}  // namespace tasuki

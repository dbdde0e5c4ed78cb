#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

#include "execute/copy_chunks.hpp"
#include "execute/spaced_elements.hpp"

namespace tasuki {
namespace {

struct Shape {
    Region from;
    Region to;
};

/// Contiguous and strided on either side, blocks of different lengths, downwards.
const std::vector<Shape> shapes = {
    {input(2, 5), output(1, 5)},
    {strided(Space::input, 1, 5, 1, 2), output(0, 5)},
    {input(0, 5), strided(Space::output, 9, 5, 1, -2)},
    {strided(Space::input, 0, 7, 2, 3), strided(Space::output, 0, 7, 3, 4)},
    {strided(Space::input, 8, 6, 4, -5), strided(Space::output, 0, 6, 1, 2)},
    {input(3, 1), output(11, 1)},
    {input(3, 0), output(11, 0)},
};
constexpr std::int32_t chunks_in_all = 12;

std::vector<std::byte> numbered(std::size_t bytes, int from) {
    std::vector<std::byte> values(bytes);
    for (std::size_t i = 0; i < bytes; ++i) values[i] = static_cast<std::byte>(i * 7 + from);
    return values;
}

TEST(CopyChunks, OfEverySizeAndShape) {
    for (std::int64_t chunk : {1, 3, 4, 8, 16, 17, 100}) {
        for (const auto& [from_region, to_region] : shapes) {
            auto source = numbered(chunks_in_all * chunk, 1);
            auto target = numbered(chunks_in_all * chunk, 100);
            auto expected = target;
            for (std::int32_t i = 0; i < from_region.count; ++i) {
                std::copy_n(source.data() + from_region.chunk(i) * chunk, chunk,
                            expected.data() + to_region.chunk(i) * chunk);
            }
            copy_chunks(Buffer::contiguous(source.data(), chunk), from_region,
                        Buffer::contiguous(target.data(), chunk), to_region);
            EXPECT_EQ(target, expected) << chunk << " bytes";
        }
    }
}

TEST(CopyChunks, OfNoBytes) {
    copy_chunks(Buffer::contiguous(nullptr, 0), input(0, 4), Buffer::contiguous(nullptr, 0),
                output(0, 4));
}

TEST(CopyChunks, PacksUnpacksAndBoth) {
    constexpr std::int64_t elements = 3;
    const SpacedElements type(4, 12);
    const std::int64_t packed = elements * 4;
    const std::int64_t spaced = elements * 12;
    for (const auto& [from_region, to_region] : shapes) {
        for (const bool from_spaced : {false, true}) {
            for (const bool to_spaced : {false, true}) {
                auto source = numbered(chunks_in_all * spaced, 1);
                auto target = numbered(chunks_in_all * spaced, 100);
                const auto buffer = [&](std::vector<std::byte>& bytes, bool is_spaced) {
                    return is_spaced ? Buffer{bytes.data(), packed, spaced, elements, &type}
                                     : Buffer::contiguous(bytes.data(), packed);
                };
                const Buffer from = buffer(source, from_spaced);
                const Buffer to = buffer(target, to_spaced);
                auto expected = target;
                for (std::int32_t i = 0; i < from_region.count; ++i) {
                    for (std::int64_t element = 0; element < elements; ++element) {
                        const auto offset = [&](bool is_spaced, std::int32_t chunk) {
                            return is_spaced ? chunk * spaced + element * 12
                                             : chunk * packed + element * 4;
                        };
                        std::copy_n(source.data() + offset(from_spaced, from_region.chunk(i)), 4,
                                    expected.data() + offset(to_spaced, to_region.chunk(i)));
                    }
                }
                copy_chunks(from, from_region, to, to_region);
                EXPECT_EQ(target, expected) << from_spaced << " " << to_spaced;
            }
        }
    }
}

}  // namespace
}  // namespace tasuki

#include <cstring>
#include <gtest/gtest.h>
#include <vector>

#include "reduce/copy_elements.hpp"

namespace tasuki::reduction {
namespace {

constexpr std::byte mine{0xaa}, others{0x55};

/// What three elements become where all bytes of the one array are `others`, and of the other
/// `mine`.
std::vector<std::byte> copied(Element element) {
    const std::size_t bytes = 3 * info(element).bytes;
    const std::vector<std::byte> from(bytes, others);
    std::vector<std::byte> to(bytes, mine);
    copy_elements(element, from.data(), to.data(), 3);
    return to;
}

std::size_t kept(Element element) {
    std::size_t count = 0;
    for (const std::byte byte : copied(element)) count += byte == mine ? 1 : 0;
    return count;
}

TEST(CopyElements, GapsStay) {
    EXPECT_EQ(kept(Element::float64_int), 3 * (sizeof(Located<double>) - 12));
    EXPECT_EQ(kept(Element::int64_int), 3 * (sizeof(Located<std::int64_t>) - 12));
    EXPECT_EQ(kept(Element::long_double_int),
              3 * (sizeof(Located<long double>) - sizeof(long double) - sizeof(int)));
    const std::vector<std::byte> shorts = copied(Element::int16_int);
    for (std::size_t i = 0; i < shorts.size(); ++i) {
        EXPECT_EQ(shorts[i], i % 8 == 2 || i % 8 == 3 ? mine : others) << i;
    }
}

TEST(CopyElements, AllElseIsCopied) {
    for (const Element element : {Element::int8, Element::float64, Element::complex64,
                                  Element::int32_int, Element::float64_pair}) {
        EXPECT_EQ(kept(element), 0U) << info(element).name;
    }
}

}  // namespace
}  // namespace tasuki::reduction

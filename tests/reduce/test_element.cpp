#include <gtest/gtest.h>

#include "reduce/element.hpp"

namespace tasuki::reduction {
namespace {

TEST(Element, IsFoundByKindAndSize) {
    EXPECT_EQ(find_element(NumberKind::signed_integer, 4), Element::int32);
    EXPECT_EQ(find_element(NumberKind::unsigned_integer, 8), Element::uint64);
    EXPECT_EQ(find_element(NumberKind::floating, sizeof(long double)), Element::long_double);
    EXPECT_EQ(find_element(NumberKind::fortran_logical, 1), Element::logical8);
    EXPECT_EQ(find_element(NumberKind::signed_integer, 3), std::nullopt);
    EXPECT_EQ(find_element(NumberKind::fortran_floating, 2), std::nullopt);
}

#ifdef TASUKI_HAS_FLOAT128
TEST(Element, SixteenBytesOfFortranAreNotCsLongDouble) {
    EXPECT_EQ(find_element(NumberKind::fortran_floating, 16), Element::float128);
    EXPECT_EQ(find_element(NumberKind::fortran_complex, 32), Element::complex_float128);
}
#endif

TEST(Element, EveryOneHasAnOperation) {
    for (const ElementInfo& element : element_infos) {
        int defined = 0;
        for (std::size_t i = 0; i < operations; ++i) {
            defined += is_defined(static_cast<Operation>(i), element.family);
        }
        EXPECT_GT(defined, 0) << element.name;
    }
}

}  // namespace
}  // namespace tasuki::reduction

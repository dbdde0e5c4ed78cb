#include <gtest/gtest.h>
#include <stdexcept>

#include "schedule/schedule.hpp"

namespace tasuki {
namespace {

TEST(Parameters, AreFoundByName) {
    Parameters parameters;
    parameters.set("radix", 4);
    parameters.set("segment", 1 << 20);
    parameters.set("radix", 8);
    EXPECT_EQ(parameters.get("radix"), 8);
    EXPECT_EQ(parameters.get("segment"), 1 << 20);
    EXPECT_EQ(parameters.values().size(), 2U);
    EXPECT_THROW(parameters.get("radi"), std::out_of_range);
}

}  // namespace
}  // namespace tasuki

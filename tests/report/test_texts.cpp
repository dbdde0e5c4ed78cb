#include <gtest/gtest.h>
#include <limits>

#include "report/texts.hpp"

namespace tasuki::report {
namespace {

TEST(Texts, DurationsHaveTheirUnit) {
    EXPECT_EQ(duration_text(0), "0 s");
    EXPECT_EQ(duration_text(34e-9), "34.0 ns");
    EXPECT_EQ(duration_text(1.234e-5), "12.3 µs");
    EXPECT_EQ(duration_text(-0.25), "-250 ms");
    EXPECT_EQ(short_duration_text(5e-6), "5 µs");
    EXPECT_EQ(short_duration_text(1.5e-6), "1.5 µs");
    EXPECT_EQ(short_duration_text(100e-6), "100 µs");
    EXPECT_EQ(duration_text(9.5), "9.50 s");
    EXPECT_EQ(duration_text(200), "3 min 20 s");
    EXPECT_EQ(duration_text(7500), "2 h 5 min");
    EXPECT_EQ(duration_text(std::numeric_limits<double>::quiet_NaN()), "-");
}

TEST(Texts, BytesCountsAndShares) {
    EXPECT_EQ(bytes_text(0), "0 B");
    EXPECT_EQ(bytes_text(6144), "6 KiB");
    EXPECT_EQ(bytes_text(1.5 * 1024 * 1024), "1.50 MiB");
    EXPECT_EQ(count_text(999), "999");
    EXPECT_EQ(count_text(2.5), "2.5");
    EXPECT_EQ(count_text(20000), "20\u2009000");
    EXPECT_EQ(count_text(2.5e6), "2.50 million");
    EXPECT_EQ(percent_text(0.123), "12 %");
    EXPECT_EQ(percent_text(0.004), "0.4 %");
}

TEST(Texts, WhatIsNoTextBecomesOne) {
    EXPECT_EQ(plain_text("grün \xff\x80\n"), "grün ???");
    EXPECT_EQ(plain_text("cut \xe2\x82"), "cut ??");
}

}  // namespace
}  // namespace tasuki::report

#include <gtest/gtest.h>
#include <limits>
#include <memory>

#include "sites/json_text.hpp"
#include "sites/site_report.hpp"

namespace tasuki {
namespace {

std::unique_ptr<SiteTable> table_of_two() {
    auto table = std::make_unique<SiteTable>();
    SiteKey key;
    key.module = ShortText<256>("/no/such/app");
    key.collective = ShortText<24>("allreduce");
    key.operation = ShortText<8>("sum");
    key.element = ShortText<24>("float64");
    key.offset = 0x10;
    SiteFindings findings;
    findings.checked = 5;
    findings.ranks = 3;
    findings.has_distance = true;
    table->add(key, findings);
    key.offset = 0x20;
    findings.differed = 2;
    findings.ulp = 7;
    findings.relative = std::numeric_limits<double>::infinity();
    table->add(key, findings);
    return table;
}

TEST(SiteReport, WhatDiffersComesFirst) {
    const std::vector<std::string> lines = report_lines(*table_of_two(), {3, "off"});
    ASSERT_EQ(lines.size(), 4u);
    EXPECT_EQ(lines[0],
              "reductions in other orders, on 3 ranks: 1 of 2 call sites gave other results");
    EXPECT_EQ(lines[2],
              "        2         5            7       inf  allreduce sum float64, "
              "/no/such/app+0x20");
    EXPECT_EQ(lines[3],
              "        0         5            0   0.0e+00  allreduce sum float64, "
              "/no/such/app+0x10");
}

TEST(SiteReport, TheModeIsTold) {
    const auto lines = report_lines(*table_of_two(), {3, "exact"});
    EXPECT_NE(lines.back().find("reproducible by \"exact\""), std::string::npos);
}

TEST(SiteReport, JsonHasNoInfinity) {
    const std::string text = report_json(*table_of_two(), {3, "off"});
    EXPECT_NE(text.find("\"offset\": \"0x20\""), std::string::npos) << text;
    EXPECT_NE(text.find("\"ulp\": 7, \"relative\": null"), std::string::npos) << text;
    EXPECT_EQ(text.find("inf"), std::string::npos) << text;
}

TEST(JsonText, EscapesWhatItMust) {
    EXPECT_EQ(json_text("a\"b\\c\n"), "\"a\\\"b\\\\c\\u000a\"");
    EXPECT_EQ(json_number(0.1), "0.1");
}

}  // namespace
}  // namespace tasuki

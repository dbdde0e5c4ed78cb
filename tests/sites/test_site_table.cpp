#include <gtest/gtest.h>
#include <memory>

#include "sites/site_table.hpp"

namespace tasuki {
namespace {

SiteKey site(std::uint64_t offset, const char* operation = "sum") {
    SiteKey key;
    key.offset = offset;
    key.module = ShortText<256>("/bin/app");
    key.operation = ShortText<8>(operation);
    return key;
}

SiteFindings call(bool differs, double ulp) {
    SiteFindings findings;
    findings.checked = 1;
    findings.differed = differs;
    findings.ulp = ulp;
    findings.ranks = 4;
    return findings;
}

TEST(SiteTable, CallsOfASiteAreOne) {
    auto table = std::make_unique<SiteTable>();
    table->add(site(8), call(true, 3));
    table->add(site(8), call(false, 0));
    table->add(site(8, "prod"), call(true, 2));
    ASSERT_EQ(table->sites().size(), 2u);
    const SiteFindings& findings = table->sites()[0].findings;
    EXPECT_EQ(findings.checked, 2);
    EXPECT_EQ(findings.differed, 1);
    EXPECT_EQ(findings.ulp, 3);
    EXPECT_EQ(findings.ranks, 4);
}

TEST(SiteTable, TablesOfRanksBecomeOne) {
    auto one = std::make_unique<SiteTable>(), other = std::make_unique<SiteTable>();
    one->add(site(8), call(true, 3));
    other->add(site(8), call(true, 7));
    other->add(site(16), call(false, 0));
    other->add_independent_call();
    SiteFindings unchecked;
    unchecked.unchecked = 1;
    unchecked.reason = ShortText<96>("why");
    other->add(site(16), unchecked);
    one->include(*other);
    ASSERT_EQ(one->sites().size(), 2u);
    EXPECT_EQ(one->sites()[0].findings.ulp, 7);
    EXPECT_EQ(one->sites()[0].findings.differed, 2);
    EXPECT_EQ(one->sites()[1].findings.unchecked, 1);
    EXPECT_EQ(one->sites()[1].findings.reason.view(), "why");
    EXPECT_EQ(one->independent_calls(), 1);
}

TEST(SiteTable, BeyondItsRoomCallsAreCounted) {
    auto table = std::make_unique<SiteTable>();
    for (std::uint64_t at = 0; at < SiteTable::most_sites + 5; ++at)
        table->add(site(at), call(1, 1));
    EXPECT_EQ(table->sites().size(), SiteTable::most_sites);
    EXPECT_EQ(table->calls_without_room(), 5);
    table->add(site(3), call(1, 1));
    EXPECT_EQ(table->sites()[3].findings.checked, 2);
}

TEST(ShortText, KeepsTheEndOfWhatIsTooLong) {
    EXPECT_EQ(ShortText<5>("abcdefg").view(), "defg");
    EXPECT_EQ(ShortText<5>("abcd").view(), "abcd");
}

}  // namespace
}  // namespace tasuki

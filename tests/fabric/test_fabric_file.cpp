#include <gtest/gtest.h>

#include "fabric/fabric_file.hpp"

namespace tasuki {

namespace {

constexpr std::string_view text =
    "tasuki-fabric 1\n"
    "# made for a test\n"
    "chosen-by receiver\n"
    "hosts 3\n"
    "node4 0/2\n"
    "  node0.cluster\t1/0  \n"
    "\n"
    "node7 1/1\n";

std::string replaced(std::string_view from, std::string_view to) {
    std::string result(text);
    const auto at = result.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return result.replace(at, from.size(), to);
}

}  // namespace

TEST(FabricFile, ReadsHostsAndRoutes) {
    const FabricFile file = FabricFile::parse(text);
    EXPECT_EQ(file.hosts(), (std::vector<std::string>{"node4", "node0.cluster", "node7"}));
    EXPECT_EQ(file.routes().text(), "0/2,1/0,1/1");
    EXPECT_EQ(FabricFile::parse(replaced("receiver", "sender")).routes().text(),
              "sender:0/2,1/0,1/1");
}

TEST(FabricFile, FindsHostsByTheirNamesUpToTheFirstDotToo) {
    const FabricFile file = FabricFile::parse(text);
    EXPECT_EQ(file.find("node4"), 0);
    EXPECT_EQ(file.find("node4.cluster.example"), 0);
    EXPECT_EQ(file.find("node0"), 1);
    EXPECT_EQ(file.find("node0.cluster"), 1);
    EXPECT_EQ(file.find("node1"), -1);
    const FabricFile twins = FabricFile::parse(replaced("node7", "node0.elsewhere"));
    EXPECT_EQ(twins.find("node0"), -1) << "there are two";
    EXPECT_EQ(twins.find("node0.elsewhere"), 2);
}

TEST(FabricFile, FingerprintsTellContentsApart) {
    const std::uint64_t mine = FabricFile::parse(text).fingerprint();
    EXPECT_EQ(FabricFile::parse(replaced("made for a test", "again")).fingerprint(), mine);
    EXPECT_NE(FabricFile::parse(replaced("1/1", "1/2")).fingerprint(), mine);
    EXPECT_NE(FabricFile::parse(replaced("node7", "node8")).fingerprint(), mine);
    EXPECT_NE(FabricFile::parse(replaced("receiver", "sender")).fingerprint(), mine);
}

TEST(FabricFile, DamageNamesTheLine) {
    const struct {
        const char* from;
        const char* to;
        const char* message;
    } cases[] = {
        {"fabric 1", "fabric 2", "line 1: expected \"tasuki-fabric 1\", found \"tasuki-fabric 2\""},
        {"receiver", "nobody", "line 3: expected chosen-by receiver, or chosen-by sender"},
        {"hosts 3", "hosts many", "line 4: expected a number"},
        {"hosts 3", "hosts 0", "line 4: expected at least one host"},
        {"hosts 3", "nodes 3", "line 4: expected hosts NUMBER"},
        {"hosts 3", "hosts 4", "the file ends where host 4 of 4 was expected"},
        {"hosts 3", "hosts 2", "line 8: expected the end after 2 hosts, found \"node7 1/1\""},
        {"node4 0/2", "node4", "line 5: expected HOST LEAF/ROOT"},
        {"node4 0/2", "node4 0/2 9", "line 5: expected HOST LEAF/ROOT"},
        {"node4 0/2", "node4 0", "line 5: expected LEAF/ROOT"},
        {"node7 1/1", "node7 1.0/1.0", "line 8: expected LEAF/ROOT, with as many levels"},
        {"node7 1/1", "node4 1/1", "line 8: expected every host once, found \"node4\""},
    };
    for (const auto& [from, to, message] : cases) {
        try {
            FabricFile::parse(replaced(from, to));
            ADD_FAILURE() << to << " was read";
        } catch (const FabricFileError& error) {
            EXPECT_TRUE(std::string_view(error.what()).starts_with(message)) << error.what();
        }
    }
}

TEST(FabricFile, NamesAFileThatIsNotThere) {
    try {
        FabricFile::read("/nowhere/fabric");
        FAIL() << "there is none";
    } catch (const FabricFileError& error) {
        EXPECT_STREQ(error.what(), "/nowhere/fabric: cannot read it: No such file or directory");
    }
}

}  // namespace tasuki

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "report/page.hpp"
#include "report/records.hpp"

namespace tasuki::report {
namespace {

/// Empty if all tags are closed in order, else the first that is not.
std::string first_open(const std::string& text) {
    std::vector<std::string> open;
    for (std::size_t at = text.find('<'); at != text.npos; at = text.find('<', at + 1)) {
        const std::string tag = text.substr(at + 1, text.find('>', at) - at - 1);
        const std::string name = tag.substr(0, tag.find_first_of(" \n"));
        if (name.starts_with('!') || tag.ends_with('/')) continue;
        if (!name.starts_with('/')) {
            open.push_back(name);
        } else if (open.empty() || open.back() != name.substr(1)) {
            return name + " at " + text.substr(at, 80);
        } else {
            open.pop_back();
        }
    }
    return open.empty() ? "" : open.back();
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != text.npos;
}

TEST(Page, IsWellFormedAndNeedsNothingFromElsewhere) {
    std::string text = page(run_of_pair());
    EXPECT_EQ(first_open(text), "");
    EXPECT_TRUE(has(text, "<svg "));
    for (const char* link : {"href=", "src=", "url(", "@import"}) EXPECT_FALSE(has(text, link));
}

TEST(Page, SaysWhatWasLearnt) {
    const std::string text = page(run_of_pair());
    for (const char* expected :
         {"alltoall 64 B", "bruck:radix=2", "Communicator 1: pair, 2 ranks, placed 1x2", "500 ms",
          "Cut by prediction: ring (9.00 µs)", "memory, eager", "copied 2.00 times",
          "there is nothing to move"}) {
        EXPECT_TRUE(has(text, expected)) << expected;
    }
}

TEST(Page, NamesOfOthersDoNoHarm) {
    RunRecord run = run_of_pair();
    run.facts.command = "./a </title><script>alert(1)</script> & \xff\x01";
    run.communicators[0].name = "]]> \"<b>\" ' --";
    const std::string text = page(run);
    EXPECT_EQ(first_open(text), "");
    EXPECT_FALSE(has(text, "<script>"));
    EXPECT_FALSE(has(text, "<b>\""));
}

TEST(Page, AnEmptyRunIsAPageToo) {
    const std::string text = page({});
    EXPECT_EQ(first_open(text), "");
    EXPECT_TRUE(has(text, "No collective was called"));
}

TEST(Page, OddNumbersAreNoTrouble) {
    RunRecord run = run_of_pair();
    SizeRecord& size = run.communicators[0].sizes[0];
    size.size = SizeRecord::any_size;
    size.seconds = {};
    size.bytes = 0;
    size.course.points = {{1, 0}};
    size.course.spans = {{1, 1, 0}};
    size.course.decision->candidates[1].measured = 0;
    run.facts.seconds = 0;
    const std::string text = page(run);
    EXPECT_EQ(first_open(text), "");
    EXPECT_FALSE(has(text, "nan")) << text;
    EXPECT_FALSE(has(text, "inf")) << text;
}

}  // namespace
}  // namespace tasuki::report

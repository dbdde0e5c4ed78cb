// Every mistake is told with its line and with what was expected.
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "schedule/text.hpp"

namespace tasuki {
namespace {

/// The six lines before the first step are right.
const std::string header =
    "collective alltoall\nalgorithm test\nranks 1\nroot 0\n"
    "rank 0: input 4 output 4 scratch 2\n";

std::string error_of(const std::string& text) {
    try {
        read_text(text);
    } catch (const TextError& error) {
        return error.what();
    }
    return "accepted";
}

std::string step_error(const std::string& steps) {
    return error_of(header + steps);
}

TEST(TextErrors, NothingIsWrongWithTheExample) {
    EXPECT_EQ(step_error(""), "accepted");
    EXPECT_EQ(step_error("0: copy input[0:1] to output[0:1]\n"), "accepted");
}

TEST(TextErrors, InTheHeader) {
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"", "line 1: expected \"collective\", found the end of the text"},
        {"colective x", "line 1: expected \"collective\", found \"colective x\""},
        {"collective", "line 1: expected the name of a collective, found the end of the line"},
        {"collective a b", "line 1: expected the end of the line, found \"b\""},
        {"collective a\n", "line 2: expected \"algorithm\", found the end of the text"},
        {"collective a\nalgorithm b\nranks 0",
         "line 3: expected a number of ranks from 1 to 2147483647, found \"0\""},
        {"collective a\nalgorithm b\nranks 99999999999999999999",
         "line 3: expected a number of ranks from 1 to 2147483647, found "
         "\"99999999999999999999\""},
        {"collective a\nalgorithm b\nranks 2\nroot 2",
         "line 4: expected a rank from 0 to 1, found \"2\""},
        {"collective a\nalgorithm b\nranks 2\nroot 0\nparameter c 1\nparameter c 2",
         "line 6: parameter c stands twice"},
        {"collective a\nalgorithm b\nranks 2\nroot 0\nparameter c x",
         "line 5: expected a value from -9223372036854775808 to 9223372036854775807, found \"x\""},
        {"collective a\nalgorithm b\nranks 2\nroot 0\nplacement 3x3",
         "line 5: placement \"3x3\": does not make 2 ranks; expected NODESxRANKS_PER_NODE (2x4), "
         "RANKS_PER_NODE (4) or the node of every rank (0,0,1,1)"},
        {"collective a\nalgorithm b\nranks 2\nroot 0\nrank 1: input 0",
         "line 5: expected the rank from 0 to 0, found \"1: input 0\""},
        {"collective a\nalgorithm b\nranks 2\nroot 0\nrang 0:",
         "line 5: expected \"rank\", found \"rang 0:\""},
        {"collective a\nalgorithm b\nranks 2\nroot 0\nrank 0: input 1 output 1",
         "line 5: expected \"scratch\", found the end of the line"},
        {"collective \x1b[31m", "line 1: expected the name of a collective, found \"?[31m\""}};
    for (const auto& [text, message] : cases) EXPECT_EQ(error_of(text), message) << text;
}

TEST(TextErrors, InTheNumberOfPrograms) {
    EXPECT_EQ(error_of("collective a\nalgorithm b\nranks 2000000000\nroot 0\n"
                       "rank 0: input 2147483647 output 2147483647 scratch 2147483647\n"),
              "line 6: expected \"rank 1:\", found the end of the text");
    EXPECT_EQ(step_error("rank 1: input 4 output 4 scratch 2\n"),
              "line 6: expected no more than 1 ranks");
}

TEST(TextErrors, InTheSizesOfScratch) {
    const std::string before =
        "collective alltoall\nalgorithm test\nranks 1\nroot 0\nrank 0: input 4 output 4 scratch 2 ";
    EXPECT_EQ(error_of(before + "sizes 3:5"), "accepted");
    EXPECT_EQ(error_of(before + "sizes any:1 0:1"), "accepted");
    const std::string after = "a size after the first, and chunks of scratch to have them";
    EXPECT_EQ(error_of(before + "sizes 3:6"),
              "line 5: expected " + after + " from 4 to 5, found \"6\"");
    EXPECT_EQ(error_of(before + "sizes 3:3"),
              "line 5: expected " + after + " from 4 to 5, found \"3\"");
    EXPECT_EQ(error_of(before + "sizes"),
              "line 5: expected any, or a first size from 0 to 2147483647, found the end of the "
              "line");
}

TEST(TextErrors, InAStep) {
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"1: copy", "expected the step's number from 0 to 0, found \"1: copy\""},
        {"0 copy", "expected \":\", found \"copy\""},
        {"0: move", "expected send, recv, copy or reduce, found \"move\""},
        {"0: copyinput[0:1]", "expected send, recv, copy or reduce, found \"copyinput[0:1]\""},
        {"0: send 0", "expected \"to\", found \"0\""},
        {"0: send to 1 message 0 nothing",
         "expected a rank from 0 to 0, found \"1 message 0 "
         "nothing\""},
        {"0: send to 0 message 1 nothing",
         "expected the message's number from 0 to 0, found \"1 nothing\""},
        {"0: send to 0 message 0",
         "expected input[...], output[...], scratch[...] or nothing, found the end of the line"},
        {"0: send to 0 message 0 input", "expected \"[\", found the end of the line"},
        {"0: send to 0 message 0 input[0:5]", "step 0: chunks 0 to 4 of the input, which has 4"},
        {"0: send to 0 message 0 input[2:1]",
         "expected the chunk after the last from 2 to 2147483647, found \"1]\""},
        {"0: send to 0 message 0 input[first=0 count=2 block=1 stride=2]",
         "step 0: a message is one contiguous run of chunks; pack it with a copy"},
        {"0: copy input[first=0 count=2147483647 block=1 stride=2147483647] to output[0:1]",
         "step 0: chunks 0 to 4611686011984936962 of the input, which has 4"},
        {"0: copy input[first=0 count=2 block=0 stride=1] to output[0:2]",
         "step 0: a region needs a positive size"},
        {"0: copy input[first=0 count=2] to output[0:2]",
         "expected \"block\", found \"] to output[0:2]\""},
        {"0: copy input[0:1] into output[0:1]", "expected \"to\", found \"into output[0:1]\""},
        {"0: copy input[0:1] to input[0:1]", "step 0: the input is never written"},
        {"0: copy input[0:1] to output[0:2]", "step 0: from has 1 chunks and to has 2"},
        {"0: reduce input[0:1] into output[0:1]",
         "expected left or right, found \"input[0:1] into outp...\""},
        {"0: copy input[0:1] to output[0:1] after",
         "expected an earlier step from 0 to 2147483647, found the end of the line"},
        {"0: copy input[0:1] to output[0:1] after 0", "step 0: must come after step 0"},
        {"0: copy input[0:1] to output[0:1] before 0", "expected \"after\", found \"before 0\""},
        {"0: copy input[0:1] to output[0:1] after 1x",
         "expected an earlier step from 0 to 2147483647, found \"1x\""}};
    for (const auto& [step, message] : cases) {
        EXPECT_EQ(step_error(step + "\n"), "line 6: " + message) << step;
    }
}

}  // namespace
}  // namespace tasuki

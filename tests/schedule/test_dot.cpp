#include <gtest/gtest.h>

#include "schedule/builder.hpp"
#include "schedule/dot.hpp"

namespace tasuki {
namespace {

TEST(Dot, DrawsStepsDependenciesAndMessages) {
    ProgramBuilder sender(1, 1);
    const StepId copied = sender.copy(input(0), output(0));
    sender.send(1, output(0), {copied});
    sender.send(1, output(0), {copied});
    ProgramBuilder receiver(1, 1);
    receiver.recv(0, output(0));
    const std::string text =
        write_dot({"bcast", "chain \"x\"", {.ranks = 2}, {sender.finish(), receiver.finish()}});
    EXPECT_TRUE(text.starts_with("digraph schedule {\n")) << text;
    EXPECT_TRUE(text.ends_with("}\n"));
    for (const char* part :
         {"label=\"bcast/chain \\\"x\\\" over 2 ranks\"", "subgraph cluster_rank1",
          "label=\"0: copy input[0:1] to output[0:1]\"", "rank0_step0 -> rank0_step1\n",
          "rank0_step1 -> rank1_step0\n"}) {
        EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
    }
    EXPECT_EQ(text.find("rank0_step2 -> "), std::string::npos) << "nothing meets that message";
}

}  // namespace
}  // namespace tasuki

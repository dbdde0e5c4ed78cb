#include <gtest/gtest.h>

#include "algorithms/algorithm.hpp"
#include "schedule/builder.hpp"
#include "schedule/text.hpp"

namespace tasuki {
namespace {

Schedule small() {
    ProgramBuilder first(8, 8);
    first.reserve_scratch(9);
    first.recv(1, output(0, 8));
    first.copy(strided(Space::input, 1, 4, 1, 2), strided(Space::scratch, 8, 4, 1, -2));
    first.send(1, input(0, 8), {1});
    first.send(1, nothing(), {0, 2});
    first.reduce(scratch(2, 0), Operand::left, output(3, 0));
    first.reduce(scratch(2), Operand::right, output(3), {1});
    ProgramBuilder second(8, 8);
    second.send(0, input(0, 8));
    second.recv(0, output(0, 8));
    second.recv(0, nothing(), {1});
    return {"alltoall",
            "two-ways",
            {.ranks = 2,
             .root = 1,
             .parameters = Parameters({{"radix", 4}, {"shift", -1}}),
             .placement = Placement::blocks(2, 1)},
            {first.finish(), second.finish()}};
}

const char* const small_text = R"(collective alltoall
algorithm two-ways
ranks 2
root 1
parameter radix 4
parameter shift -1
placement 2x1

rank 0: input 8 output 8 scratch 9
0: recv from 1 message 0 output[0:8]
1: copy input[first=1 count=4 block=1 stride=2] to scratch[first=8 count=4 block=1 stride=-2]
2: send to 1 message 0 input[0:8] after 1
3: send to 1 message 1 nothing after 0 2
4: reduce left scratch[2:2] into output[3:3]
5: reduce right scratch[2:3] into output[3:4] after 1

rank 1: input 8 output 8 scratch 0
0: send to 0 message 0 input[0:8]
1: recv from 0 message 0 output[0:8]
2: recv from 0 message 1 nothing after 1
)";

TEST(Text, IsReadable) {
    EXPECT_EQ(write_text(small()), small_text);
}

TEST(Text, ReadsBack) {
    EXPECT_EQ(read_text(small_text), small());
}

TEST(Text, TellsTheSizesOfScratch) {
    ProgramBuilder program(4, 4);
    program.reserve_scratch(2);
    EXPECT_EQ(program.reserve_scratch(2, 3), 2);
    program.reserve_scratch(1, 5);
    program.reserve_scratch(1, 0);
    program.reserve_scratch(3);
    const Schedule schedule{"allreduce", "none", {.ranks = 1}, {program.finish()}};
    EXPECT_EQ(schedule.programs[0].scratch_sizes,
              (std::vector<SizeRun>{{2, any_size}, {3, 3}, {1, 0}}));
    const std::string text = write_text(schedule);
    EXPECT_NE(text.find("rank 0: input 4 output 4 scratch 9 sizes any:2 3:6 0:1\n"),
              std::string::npos)
        << text;
    EXPECT_EQ(read_text(text), schedule);
}

TEST(Text, MayHaveMoreBlanksAndEmptyLines) {
    std::string text = "\n  \n";
    for (const char* c = small_text; *c != '\0'; ++c) {
        text += *c == ' ' ? "   " : *c == '\n' ? "  \n\n" : std::string(1, *c);
    }
    EXPECT_EQ(read_text(text), small());
}

TEST(Text, MayEndWithoutANewLine) {
    std::string text = small_text;
    text.pop_back();
    EXPECT_EQ(read_text(text), small());
}

TEST(Text, OfAScheduleWithoutPlacement) {
    const Schedule schedule{"barrier", "none", {.ranks = 1}, {Program{}}};
    EXPECT_EQ(write_text(schedule),
              "collective barrier\nalgorithm none\nranks 1\nroot 0\n\nrank 0: input 0 output 0 "
              "scratch 0\n");
    EXPECT_EQ(read_text(write_text(schedule)), schedule);
}

TEST(Text, OfEveryRowReadsBack) {
    for (const Algorithm& row : all_algorithms()) {
        for (std::int32_t ranks : {1, 2, 5, 8, 16}) {
            const Instance instance{.ranks = ranks,
                                    .parameters = row.default_parameters(),
                                    .placement = Placement::blocks(ranks, 3)};
            if (!row.outside_domain(instance).empty()) continue;
            const Schedule schedule = row.schedule(instance);
            EXPECT_TRUE(read_text(write_text(schedule)) == schedule) << row.name << " " << ranks;
        }
    }
}

}  // namespace
}  // namespace tasuki

#include <gtest/gtest.h>

#include "launcher/messages.hpp"

namespace tasuki::launcher {
namespace {

std::string once(const Environment& environment) {
    testing::internal::CaptureStderr();
    tell_once(environment, "hello");
    return testing::internal::GetCapturedStderr();
}

TEST(Messages, OneRankSpeaksForAll) {
    EXPECT_TRUE(speaks_for_all({}));
    EXPECT_TRUE(speaks_for_all({{"PMI_RANK", "0"}}));
    EXPECT_FALSE(speaks_for_all({{"PMI_RANK", "3"}}));
    EXPECT_FALSE(speaks_for_all({{"OMPI_COMM_WORLD_RANK", "1"}, {"SLURM_PROCID", "0"}}));
    EXPECT_EQ(once({{"PMI_RANK", "0"}}), "tasuki: hello\n");
    EXPECT_EQ(once({{"PMI_RANK", "3"}}), "");
}

TEST(Messages, WhatOneRankMeetsNamesRankAndHost) {
    const std::string line = line_of_this_rank({{"PMI_RANK", "3"}}, "hello");
    EXPECT_TRUE(line.starts_with("tasuki: rank 3 on ")) << line;
    EXPECT_TRUE(line.ends_with(": hello\n")) << line;
    EXPECT_EQ(line_of_this_rank({}, "hello"), "tasuki: hello\n");
}

}  // namespace
}  // namespace tasuki::launcher

#include <cstdlib>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "predict/launched_ranks.hpp"

namespace tasuki {
namespace {

class LaunchedRanks : public testing::Test {
  protected:
    void SetUp() override {
        for (const char* name :
             {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "SLURM_PROCID", "SLURM_NODEID",
              "SLURM_STEP_TASKS_PER_NODE", "SLURM_TASKS_PER_NODE", "SLURM_NTASKS_PER_NODE"}) {
            ::unsetenv(name);
        }
    }
    void TearDown() override { SetUp(); }

    static void set(const char* name, const char* value) { ::setenv(name, value, 1); }
};

TEST_F(LaunchedRanks, NobodySays) {
    EXPECT_EQ(launched_ranks_here(), 0);
    set("OMPI_COMM_WORLD_LOCAL_SIZE", "many");
    EXPECT_EQ(launched_ranks_here(), 0);
}

TEST_F(LaunchedRanks, LaunchersOfMpiLibraries) {
    set("MPI_LOCALNRANKS", "6");
    EXPECT_EQ(launched_ranks_here(), 6);
    set("OMPI_COMM_WORLD_LOCAL_SIZE", "4");
    EXPECT_EQ(launched_ranks_here(), 4);
}

TEST_F(LaunchedRanks, SlurmSaysItOfEachNode) {
    set("SLURM_PROCID", "0");
    set("SLURM_STEP_TASKS_PER_NODE", "16(x2),4,8(x3)");
    const std::vector<std::pair<const char*, int>> expected = {{"0", 16}, {"1", 16}, {"2", 4},
                                                               {"3", 8},  {"5", 8},  {"6", 0}};
    for (const auto& [node, ranks] : expected) {
        set("SLURM_NODEID", node);
        EXPECT_EQ(launched_ranks_here(), ranks) << node;
    }
}

TEST_F(LaunchedRanks, TheStepCountsBeforeTheJob) {
    set("SLURM_PROCID", "3");
    set("SLURM_NTASKS_PER_NODE", "32");
    EXPECT_EQ(launched_ranks_here(), 32);
    set("SLURM_TASKS_PER_NODE", "24");
    EXPECT_EQ(launched_ranks_here(), 24);
    set("SLURM_STEP_TASKS_PER_NODE", "12");
    EXPECT_EQ(launched_ranks_here(), 12);
    set("SLURM_STEP_TASKS_PER_NODE", "1(x");
    EXPECT_EQ(launched_ranks_here(), 24) << "what is no list says nothing";
}

TEST_F(LaunchedRanks, AnAllocationAloneIsNoLauncher) {
    set("SLURM_TASKS_PER_NODE", "24");
    EXPECT_EQ(launched_ranks_here(), 0);
    set("SLURM_PROCID", "0");
    set("MPI_LOCALNRANKS", "2");  // mpiexec, inside of it
    EXPECT_EQ(launched_ranks_here(), 2);
}

}  // namespace
}  // namespace tasuki

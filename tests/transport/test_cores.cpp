// What cgroups allow, read from a folder of the test's own.
#include <cmath>
#include <gtest/gtest.h>
#include <sched.h>
#include <string>

#include "launcher/temporary_folder.hpp"
#include "transport/memory/cores.hpp"

namespace tasuki::memory {
namespace {

class Cgroups : public testing::Test {
  protected:
    void write(const std::string& path, const std::string& text) { root_.write(path, text + "\n"); }
    double cores() const { return cgroup_cores(root_.path()); }

  private:
    launcher::TemporaryFolder root_;
};

TEST_F(Cgroups, NothingIsNoLimit) {
    EXPECT_TRUE(std::isinf(cores()));
}

TEST_F(Cgroups, TheMountOfAContainerIsItsOwnGroup) {
    write("sys/fs/cgroup/cpu.max", "150000 100000");
    EXPECT_DOUBLE_EQ(cores(), 1.5);
    write("proc/self/cgroup", "0::/");
    EXPECT_DOUBLE_EQ(cores(), 1.5);
    // The path that another namespace sees is not there.
    write("proc/self/cgroup", "0::/system.slice/docker-1234.scope");
    EXPECT_DOUBLE_EQ(cores(), 1.5);
    write("proc/self/cgroup", "0::/../..");
    EXPECT_DOUBLE_EQ(cores(), 1.5);
}

TEST_F(Cgroups, TheLeastOfAllAboveCounts) {
    write("proc/self/cgroup", "0::/system.slice/slurmd.scope/job_7/step_0");
    write("sys/fs/cgroup/system.slice/cpu.max", "max 100000");
    write("sys/fs/cgroup/system.slice/slurmd.scope/job_7/cpu.max", "400000 100000");
    write("sys/fs/cgroup/system.slice/slurmd.scope/job_7/step_0/cpu.max", "max 100000");
    EXPECT_DOUBLE_EQ(cores(), 4);
    write("sys/fs/cgroup/system.slice/cpu.max", "50000 20000");
    EXPECT_DOUBLE_EQ(cores(), 2.5);
    write("sys/fs/cgroup/system.slice/other/cpu.max", "20000 20000");
    EXPECT_DOUBLE_EQ(cores(), 2.5) << "that of others does not";
}

TEST_F(Cgroups, VersionOneHasAMountForTheController) {
    write("proc/self/cgroup",
          "12:cpuset:/job_7\n5:cpu,cpuacct:/slurm/job_7\n1:name=systemd:/job_7\n0::/job_7");
    EXPECT_TRUE(std::isinf(cores()));
    const std::string group = "sys/fs/cgroup/cpu,cpuacct/slurm/";
    write(group + "job_7/cpu.cfs_quota_us", "-1");
    write(group + "job_7/cpu.cfs_period_us", "100000");
    EXPECT_TRUE(std::isinf(cores()));
    write(group + "cpu.cfs_quota_us", "300000");
    write(group + "cpu.cfs_period_us", "100000");
    EXPECT_DOUBLE_EQ(cores(), 3);
    write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "50000");
    write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000");
    EXPECT_DOUBLE_EQ(cores(), 0.5) << "the other name of the mount";
}

TEST_F(Cgroups, WhatIsNotUnderstoodIsNoLimit) {
    write("proc/self/cgroup", "nonsense\n0:only one\n0::");
    write("sys/fs/cgroup/cpu.max", "many 100000");
    EXPECT_TRUE(std::isinf(cores()));
    write("sys/fs/cgroup/cpu.max", "100000 0");
    EXPECT_TRUE(std::isinf(cores()));
}

TEST(Cores, ThisProcessHasSome) {
    const Cores cores = count_cores();
    EXPECT_GT(cores.usable, 0);
    EXPECT_LE(cores.usable, cores.present);
}

TEST(Cores, TwoThatAreBoundToOneCoreDoNotHaveOneEach) {
    cpu_set_t before;
    ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
    EXPECT_EQ(have_a_core_each(getpid()), CPU_COUNT(&before) > 1);
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int core = 0; CPU_COUNT(&one) == 0; ++core) {
        if (CPU_ISSET(core, &before)) CPU_SET(core, &one);
    }
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_FALSE(have_a_core_each(getpid()));
    ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
}

}  // namespace
}  // namespace tasuki::memory

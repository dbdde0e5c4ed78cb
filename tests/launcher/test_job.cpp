#include <gtest/gtest.h>

#include "launcher/job.hpp"
#include "temporary_folder.hpp"

namespace tasuki::launcher {
namespace {

const LibrarySearch no_search("", "/no/such/cache");

TEST(Job, VariablesTellTheLauncher) {
    EXPECT_EQ(find_job({{"OMPI_COMM_WORLD_RANK", "0"}}, {}).abi, Abi::openmpi);
    EXPECT_EQ(find_job({{"MPI_LOCALNRANKS", "2"}, {"PMI_RANK", "0"}}, {}).abi, Abi::mpich);
    EXPECT_EQ(find_job({{"HYDI_CONTROL_FD", "6"}}, {}).abi, Abi::mpich);
    EXPECT_EQ(find_job({{"I_MPI_MPIRUN", "mpirun"}}, {}).abi, Abi::mpich);
    EXPECT_EQ(find_job({{"OMPI_COMM_WORLD_RANK", "0"}, {"PMIX_RANK", "0"}}, {}).abi, Abi::openmpi);
    const Job none = find_job({{"PATH", "/bin"}}, {});
    EXPECT_EQ(none.abi, std::nullopt);
    EXPECT_EQ(none.variable, "");
}

TEST(Job, VariablesOfSlurmTellARankButNotItsMpi) {
    for (const char* variable : {"PMI_RANK", "PMI_FD", "PMI_PORT", "PMIX_RANK", "PMIX_NAMESPACE"}) {
        const Environment environment = {{variable, "0"}, {"SLURM_PROCID", "0"}};
        const Job job = find_job(environment, {"/usr/sbin/slurmstepd"});
        EXPECT_EQ(job.abi, std::nullopt) << variable;
        EXPECT_EQ(job.variable, variable);
        // A launcher process above tells.
        EXPECT_EQ(find_job(environment, {"/o/bin/prted"}).abi, Abi::openmpi) << variable;
        EXPECT_EQ(find_job(environment, {"/m/bin/hydra_pmi_proxy"}).abi, Abi::mpich) << variable;
    }
}

TEST(Job, NearestLauncherIsSurerThanVariables) {
    const Environment environment = {{"OMPI_COMM_WORLD_RANK", "0"}, {"PMI_RANK", "1"}};
    const Job job = find_job(environment, {"/bin/sh", "/m/bin/hydra_pmi_proxy", "/o/bin/prterun"});
    EXPECT_EQ(job.abi, Abi::mpich);
    EXPECT_EQ(job.launcher, "/m/bin/hydra_pmi_proxy");
}

TEST(Job, LauncherAboveIsNothingWithoutItsVariables) {
    const Job job = find_job({}, {"/o/bin/prterun"});
    EXPECT_EQ(job.abi, std::nullopt);
    EXPECT_EQ(job.launcher, "");
}

TEST(Job, AncestorsOfThisProcessAreRead) {
    EXPECT_FALSE(own_ancestors().empty());
}

class LateLibrary : public testing::Test {
  protected:
    std::string install(const std::string& prefix, const std::string& name) {
        return folder_.copy(SAMPLES "/libmpi.so.12", prefix + "/" + name);
    }
    std::string prefix(const std::string& name) const { return folder_.path() + "/" + name; }

    TemporaryFolder folder_;
};

TEST_F(LateLibrary, LiesBesideItsLauncher) {
    const std::string plain = install("plain", "lib/libmpi.so.40");
    const std::string debian =
        install("debian", "lib/" + std::string(multiarch) + "/libmpich.so.12");
    install("plain", "lib/libmpi.so.12");
    const Job openmpi{Abi::openmpi, prefix("plain") + "/bin/prterun"};
    EXPECT_EQ(late_library(Abi::openmpi, openmpi, {}, no_search), plain);
    const Job mpich{Abi::mpich, prefix("debian") + "/bin/hydra_pmi_proxy"};
    EXPECT_EQ(late_library(Abi::mpich, mpich, {}, no_search), debian);
}

TEST_F(LateLibrary, ThatTheUserPutInLibraryPathComesFirst) {
    install("launcher", "lib/libmpi.so.12");
    const std::string chosen = install("chosen", "libmpi.so.12");
    const Job job{Abi::mpich, prefix("launcher") + "/bin/hydra_pmi_proxy"};
    const LibrarySearch search(prefix("chosen"), "/no/such/cache");
    EXPECT_EQ(late_library(Abi::mpich, job, {}, search), chosen);
}

TEST_F(LateLibrary, OfIntelIsFoundByItsRoot) {
    const std::string intel = install("intel", "lib/release/libmpi.so.12");
    const std::string other = install("other", "lib/libmpi.so.12");
    const Job job{Abi::mpich, prefix("other") + "/bin/mpiexec.hydra"};
    const Environment root = {{"I_MPI_ROOT", prefix("intel")}};
    EXPECT_EQ(late_library(Abi::mpich, job, root, no_search), other);
    EXPECT_EQ(late_library(Abi::mpich, Job{Abi::mpich, ""}, root, no_search), intel);
    Environment by_mpirun = root;
    by_mpirun["I_MPI_MPIRUN"] = "mpirun";
    EXPECT_EQ(late_library(Abi::mpich, job, by_mpirun, no_search), intel);
}

}  // namespace
}  // namespace tasuki::launcher

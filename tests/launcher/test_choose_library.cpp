#include <gtest/gtest.h>
#include <unistd.h>

#include "launcher/choose_library.hpp"
#include "launcher/options.hpp"
#include "temporary_folder.hpp"

namespace tasuki::launcher {
namespace {

/// Root may read every file, so tests of what may not be read are another user's.
class NotRoot {
  public:
    NotRoot() { EXPECT_EQ(seteuid(getuid() == 0 ? 65534 : getuid()), 0); }
    ~NotRoot() { EXPECT_EQ(seteuid(getuid()), 0); }
};

class ChooseLibrary : public testing::Test {
  protected:
    std::string own(const std::string& abi) {
        return folder_.copy(SAMPLES "/libmpi.so.12", "own/libtasuki-" + abi + ".so");
    }
    Choice choose(const std::string& program, const Environment& environment = {},
                  const Job& job = {}) {
        return choose_library(loaded_file(program, environment), environment, job,
                              {folder_.path() + "/own"});
    }
    std::string refused(const std::string& program, const Environment& environment) {
        try {
            choose(program, environment);
        } catch (const UsageError& error) {
            return error.what();
        }
        return "";
    }

    TemporaryFolder folder_;
    const std::string linked_ = SAMPLES "/launcher_linked";
    const std::string late_ = "/bin/sh";
    const std::string mpi_ = SAMPLES "/libmpi.so.12";
    using List = std::vector<std::string>;
};

TEST_F(ChooseLibrary, LinkageDecides) {
    const std::string mpich = own("mpich");
    own("openmpi");
    // A launcher of another MPI makes no difference: the program calls what it is linked to.
    EXPECT_EQ(choose(linked_, {}, Job{Abi::openmpi, ""}).preload, List{mpich});
}

TEST_F(ChooseLibrary, LateProgramGetsTheMpiOfItsJobAfterOurs) {
    const std::string mpich = own("mpich");
    const Choice choice = choose(late_, {{"LD_LIBRARY_PATH", SAMPLES}}, Job{Abi::mpich, ""});
    EXPECT_EQ(choice.preload, (List{mpich, mpi_}));
}

TEST_F(ChooseLibrary, AskedMpiHoldsForLateProgramsWithoutAJob) {
    const std::string mpich = own("mpich");
    const Environment asked = {{"TASUKI_MPI", "mpich"}, {"LD_LIBRARY_PATH", SAMPLES}};
    EXPECT_EQ(choose(late_, asked).preload, (List{mpich, mpi_}));
    EXPECT_EQ(choose(late_, {{"TASUKI_MPI_LIBRARY", mpi_}}).preload, (List{mpich, mpi_}));
}

TEST_F(ChooseLibrary, NamedLibraryIsMadeAbsolute) {
    const std::string mpich = own("mpich");
    const Environment named = {
        {"TASUKI_MPI_LIBRARY", std::filesystem::relative(mpi_).string()},
    };
    for (const std::string& program : {linked_, late_}) {
        const Choice choice = choose(program, named);
        ASSERT_EQ(choice.preload.size(), 2) << choice.reason;
        EXPECT_TRUE(choice.preload.back().starts_with("/")) << choice.preload.back();
        EXPECT_TRUE(std::filesystem::equivalent(choice.preload.back(), mpi_));
    }
}

TEST_F(ChooseLibrary, WithoutAJobALateProgramRunsAlone) {
    own("mpich");
    const Choice choice = choose(late_);
    EXPECT_TRUE(choice.preload.empty());
    EXPECT_NE(choice.reason.find("no MPI launcher started it"), std::string::npos);
}

TEST_F(ChooseLibrary, WhereTheJobDoesNotTellTheMpiTheUserMust) {
    const std::string mpich = own("mpich");
    own("openmpi");
    const Job job{std::nullopt, "", "PMIX_RANK"};
    const Environment search = {{"LD_LIBRARY_PATH", SAMPLES}};
    const Choice choice = choose(late_, search, job);
    EXPECT_TRUE(choice.preload.empty());
    EXPECT_NE(choice.reason.find("PMIX_RANK does not tell which MPI"), std::string::npos);
    EXPECT_NE(choice.reason.find("--mpi-library"), std::string::npos);
    Environment asked = search;
    asked["TASUKI_MPI"] = "mpich";
    EXPECT_EQ(choose(late_, asked, job).preload, (List{mpich, mpi_}));
    EXPECT_EQ(choose(linked_, {}, job).preload, List{mpich});
}

TEST_F(ChooseLibrary, ProgramThatCannotBeReadIsAsOneThatLoadsItsMpiLate) {
    const std::string mpich = own("mpich");
    const std::string program = folder_.copy(linked_, "app");
    std::filesystem::permissions(program, std::filesystem::perms(getuid() == 0 ? 0711 : 0111));
    std::filesystem::permissions(folder_.path(), std::filesystem::perms(0755));
    const NotRoot not_root;
    EXPECT_TRUE(choose(program).reason.starts_with(
        "'" + program + "' cannot be read, so its MPI is not known and no MPI launcher"))
        << choose(program).reason;
    const Choice choice = choose(program, {{"LD_LIBRARY_PATH", SAMPLES}}, Job{Abi::mpich, ""});
    EXPECT_EQ(choice.preload, (List{mpich, mpi_})) << choice.reason;
    EXPECT_NE(refused(late_, {{"TASUKI_MPI_LIBRARY", program}}).find("cannot be read"),
              std::string::npos);
}

TEST_F(ChooseLibrary, MissingLibrariesAreTold) {
    EXPECT_NE(choose(linked_).reason.find("there is no libtasuki-mpich.so in"), std::string::npos);
    own("mpi-abi");
    const Choice choice = choose(late_, {{"TASUKI_MPI", "mpi-abi"}});
    EXPECT_TRUE(choice.preload.empty());
    EXPECT_NE(choice.reason.find("no libmpi_abi.so.1 was found"), std::string::npos);
}

TEST_F(ChooseLibrary, SettingsThatCannotHoldAreRefused) {
    EXPECT_NE(refused(linked_, {{"TASUKI_MPI", "lam"}}).find("'lam'"), std::string::npos);
    EXPECT_NE(refused(linked_, {{"TASUKI_MPI", "openmpi"}}).find("is linked to libmpi.so.12"),
              std::string::npos);
    EXPECT_NE(refused(late_, {{"TASUKI_MPI_LIBRARY", "/bin/sh"}}).find("no MPI that Tasuki knows"),
              std::string::npos);
    EXPECT_NE(refused(late_, {{"TASUKI_MPI_LIBRARY", mpi_}, {"TASUKI_MPI", "openmpi"}})
                  .find("name only one"),
              std::string::npos);
}

TEST_F(ChooseLibrary, PathThatThePreloadCannotNameIsTold) {
    const std::string odd = folder_.copy(mpi_, "a b/libmpi.so.12");
    own("mpich");
    const Choice choice = choose(late_, {{"TASUKI_MPI_LIBRARY", odd}});
    EXPECT_TRUE(choice.preload.empty());
    EXPECT_NE(choice.reason.find("has a space or a colon"), std::string::npos);
}

TEST(PreloadValue, OursComesFirstAndOnce) {
    EXPECT_EQ(preload_value({"/a.so"}, ""), "/a.so");
    EXPECT_EQ(preload_value({"/a.so", "/m.so"}, "/x.so /a.so::/y.so"), "/a.so:/m.so:/x.so:/y.so");
}

}  // namespace
}  // namespace tasuki::launcher

#include <gtest/gtest.h>

#include "launcher/options.hpp"

namespace tasuki::launcher {
namespace {

using List = std::vector<std::string>;
using Variables = std::vector<std::pair<std::string, std::string>>;

std::string refused(const List& words) {
    try {
        parse_run(words);
    } catch (const UsageError& error) {
        return error.what();
    }
    return "";
}

TEST(Options, ValuesComeAfterASpaceOrASign) {
    const RunOptions options = parse_run(
        {"--alltoall", "bruck:radix=4", "--mpi=mpich", "--verbose", "./app", "--mpi", "own"});
    EXPECT_EQ(options.variables, (Variables{{"TASUKI_ALLTOALL", "bruck:radix=4"},
                                            {"TASUKI_MPI", "mpich"},
                                            {"TASUKI_VERBOSE", "1"}}));
    EXPECT_EQ(options.command, (List{"./app", "--mpi", "own"}));
}

TEST(Options, EveryCollectiveHasOne) {
    EXPECT_EQ(parse_run({"--bcast", "chain", "--collectives=auto", "./app"}).variables,
              (Variables{{"TASUKI_BCAST", "chain"}, {"TASUKI_COLLECTIVES", "auto"}}));
}

TEST(Options, AValueThatMayLackComesAfterASign) {
    EXPECT_EQ(parse_run({"--check-reductions", "./app"}).variables,
              (Variables{{"TASUKI_CHECK_REDUCTIONS", "1"}}));
    EXPECT_EQ(parse_run({"--check-reductions=found.json", "./app"}).variables,
              (Variables{{"TASUKI_CHECK_REDUCTIONS", "found.json"}}));
    EXPECT_NE(run_help().find("  --check-reductions[=FILE.json]  ("), std::string::npos);
}

TEST(Options, TwoDashesEndThem) {
    EXPECT_EQ(parse_run({"--", "--odd-name", "--", "x"}).command, (List{"--odd-name", "--", "x"}));
}

TEST(Options, HelpNamesEveryOptionAndItsVariable) {
    EXPECT_TRUE(parse_run({"--help"}).help);
    EXPECT_FALSE(parse_run({"app", "--help"}).help);
    for (const char* name :
         {"--alltoall", "TASUKI_MPI", "--mpi-library", "TASUKI_PLACEMENT", "--bcast",
          "TASUKI_REPORT", "TASUKI_DECISIONS=", "TASUKI_CACHE=", "TASUKI_START_TIMEOUT="}) {
        EXPECT_NE(run_help().find(name), std::string::npos) << name;
    }
}

TEST(Options, AnEmptyValueIsNone) {
    const std::string message = "--report needs a value: --report FILE";
    EXPECT_EQ(refused({"--report", "", "./app"}), message);
    EXPECT_EQ(refused({"--report=", "./app"}), message);
    EXPECT_EQ(refused({"--report"}), message);
    EXPECT_NE(refused({"--alltoall=", "./app"}).find("--alltoall needs a value"),
              std::string::npos);
    EXPECT_EQ(refused({"--check-reductions=", "./app"}),
              "--check-reductions needs a value: --check-reductions[=FILE.json]");
    EXPECT_NE(refused({"--verbose=", "./app"}).find("takes no value"), std::string::npos);
}

TEST(Options, WrongUseIsRefusedWithTheRightOne) {
    EXPECT_NE(refused({"--foo", "app"}).find("'--foo'; it has --alltoall, --barrier, --bcast, "),
              std::string::npos);
    EXPECT_NE(refused({"--foo", "app"})
                  .find("--check-reductions, --collectives, --fabric, --memory, --memory-limit"),
              std::string::npos);
    EXPECT_NE(refused({"--alltoall"}).find("needs a value"), std::string::npos);
    EXPECT_NE(refused({"--verbose=1", "app"}).find("takes no value"), std::string::npos);
    EXPECT_NE(refused({"--alltoall", "./app"}).find("'./app' is a path"), std::string::npos);
    EXPECT_NE(refused({}).find("needs a program"), std::string::npos);
    EXPECT_NE(refused({"--verbose"}).find("needs a program"), std::string::npos);
}

}  // namespace
}  // namespace tasuki::launcher

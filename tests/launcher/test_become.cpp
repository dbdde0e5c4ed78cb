#include <cstdlib>
#include <gtest/gtest.h>

#include "launcher/become.hpp"
#include "launcher/program.hpp"
#include "temporary_folder.hpp"

namespace tasuki::launcher {
namespace {

using testing::ExitedWithCode;

TEST(Become, ScriptWithoutItsLineIsTheShells) {
    TemporaryFolder folder;
    const std::string script = folder.write("script", "exit 7\n", true);
    EXPECT_EXIT(std::exit(become(script, {script})), ExitedWithCode(7), "");
}

TEST(Become, NoShellGetsAnElfFile) {
    TemporaryFolder folder;
    const std::string made = folder.path() + "/made";
    const std::string commands = "\n: > '" + made + "'\nexit 7\n";
    const std::string damaged = folder.write("damaged", "\177ELF" + commands, true);
    const std::string foreign = folder.write("foreign", "\177ELF\1\1\1_________" + commands, true);
    for (const std::string& program : {damaged, foreign}) {
        EXPECT_EXIT(std::exit(become(program, {program})), ExitedWithCode(exit_not_executable),
                    "cannot start '" + program + "': Exec format error");
    }
    EXPECT_FALSE(std::filesystem::exists(made));
}

TEST(Become, WhatCannotStartIsPassedOverInPath) {
    TemporaryFolder folder;
    const std::string first = folder.write("first/app", "#!/none/interpreter\n", true);
    folder.write("second/app", "#!/bin/sh\nexit 7\n", true);
    const auto start = [&] {
        setenv("PATH", (folder.path() + "/first:" + folder.path() + "/second").c_str(), 1);
        std::exit(become(first, {"app"}));
    };
    EXPECT_EXIT(start(), ExitedWithCode(7), "");
}

}  // namespace
}  // namespace tasuki::launcher

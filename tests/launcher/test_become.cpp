#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <span>

#include "launcher/become.hpp"
#include "launcher/elf.hpp"
#include "launcher/program.hpp"
#include "temporary_folder.hpp"

namespace tasuki::launcher {
namespace {

using testing::ExitedWithCode;

std::string text_of(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Become, ScriptWithoutItsLineIsTheShells) {
    TemporaryFolder folder;
    const std::string script = folder.write("script", "exit 7\n", true);
    EXPECT_EXIT(std::exit(become(script, {script}, {})), ExitedWithCode(7), "");
}

TEST(Become, NoShellGetsAnElfFile) {
    TemporaryFolder folder;
    const std::string made = folder.path() + "/made";
    const std::string commands = "\n: > '" + made + "'\nexit 7\n";
    const std::string damaged = folder.write("damaged", "\177ELF" + commands, true);
    const std::string foreign = folder.write("foreign", "\177ELF\1\1\1_________" + commands, true);
    for (const std::string& program : {damaged, foreign}) {
        EXPECT_EXIT(std::exit(become(program, {program}, {})), ExitedWithCode(exit_not_executable),
                    "cannot start '" + program + "': Exec format error");
    }
    EXPECT_FALSE(std::filesystem::exists(made));
}

TEST(Become, InterpreterThatIsAbsentIsNamed) {
    TemporaryFolder folder;
    const std::string script = folder.write("script", "#!/none/interpreter -x\n", true);
    EXPECT_EXIT(std::exit(become(script, {script}, {})), ExitedWithCode(exit_not_found),
                "^tasuki: cannot start '.*': it is run by '/none/interpreter', which does not "
                "exist\n$");
    const std::string nested = folder.write("nested", "#!" + script + "\n", true);
    EXPECT_EXIT(std::exit(become(nested, {nested}, {})), ExitedWithCode(exit_not_found),
                "run by '/none/interpreter', which");
}

TEST(Become, LineEndOfWindowsIsNamed) {
    TemporaryFolder folder;
    const std::string script = folder.write("script", "#!/bin/sh\r\nexit\r\n", true);
    EXPECT_EXIT(std::exit(become(script, {script}, {})), ExitedWithCode(exit_not_found),
                "its first line ends in a carriage return");
}

TEST(Become, LoaderThatIsAbsentIsNamed) {
    TemporaryFolder folder;
    std::string program = text_of(SAMPLES "/launcher_linked");
    const std::string loader = read_elf(std::as_bytes(std::span(program))).interpreter;
    program.replace(program.find(loader), 5, "/none");
    const std::string path = folder.write("program", program, true);
    EXPECT_EXIT(std::exit(become(path, {path}, {})), ExitedWithCode(exit_not_found),
                "run by '/none" + loader.substr(5) + "', which does not exist");
}

TEST(Become, FailureIsToldByTheRankThatMeetsIt) {
    TemporaryFolder folder;
    const std::string damaged = folder.write("damaged", "\177ELF", true);
    EXPECT_EXIT(std::exit(become(damaged, {damaged}, {{"PMI_RANK", "3"}})),
                ExitedWithCode(exit_not_executable), "^tasuki: rank 3 on .*: cannot start '");
}

TEST(Become, WhatCannotStartIsPassedOverInPath) {
    TemporaryFolder folder;
    const std::string first = folder.write("first/app", "#!/none/interpreter\n", true);
    folder.write("second/app", "#!/bin/sh\nexit 7\n", true);
    const auto start = [&] {
        setenv("PATH", (folder.path() + "/first:" + folder.path() + "/second").c_str(), 1);
        std::exit(become(first, {"app"}, {}));
    };
    EXPECT_EXIT(start(), ExitedWithCode(7), "");
}

}  // namespace
}  // namespace tasuki::launcher

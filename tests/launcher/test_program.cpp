#include <gtest/gtest.h>
#include <unistd.h>

#include "launcher/program.hpp"
#include "temporary_folder.hpp"

namespace tasuki::launcher {
namespace {

const Environment shell = {{"PATH", "/usr/bin:/bin"}};

TEST(Program, NameIsLookedUpInPath) {
    TemporaryFolder folder;
    folder.write("first/app", "");
    const std::string second = folder.write("second/app", "", true);
    const Environment environment = {
        {"PATH", folder.path() + "/none:" + folder.path() + "/first:" + folder.path() + "/second"}};
    EXPECT_EQ(find_program("app", environment).path, second);
    EXPECT_EQ(find_program("other", environment).exit_code, exit_not_found);
}

TEST(Program, SemicolonsDoNotPartPath) {
    TemporaryFolder folder;
    const std::string app = folder.write("a;b/app", "", true);
    EXPECT_EQ(find_program("app", {{"PATH", folder.path() + "/a;b"}}).path, app);
}

TEST(Program, FileThatIsNotExecutableIsToldApart) {
    TemporaryFolder folder;
    const std::string plain = folder.write("app", "");
    EXPECT_EQ(find_program(plain, shell).exit_code, exit_not_executable);
    EXPECT_EQ(find_program("app", {{"PATH", folder.path()}}).exit_code, exit_not_executable);
    EXPECT_EQ(find_program(folder.path(), shell).exit_code, exit_not_executable);
    EXPECT_EQ(find_program("./none", shell).exit_code, exit_not_found);
    EXPECT_EQ(find_program("", shell).exit_code, exit_not_found);
}

TEST(Program, WithoutPathTheDefaultHolds) {
    EXPECT_NE(find_program("sh", {}).path, "");
}

TEST(Program, ScriptsLeadToTheirInterpreter) {
    TemporaryFolder folder;
    const std::string direct = folder.write("direct", "#! /bin/sh -e\nexit\n", true);
    const std::string by_env = folder.write("env", "#!/usr/bin/env -S A=1 sh -e\n", true);
    const std::string nested = folder.write("nested", "#!" + direct + "\n", true);
    const std::string bare = folder.write("bare", "exit 3\n", true);
    const std::string no_newline = folder.write("no_newline", "#!/bin/sh", true);
    for (const std::string& script : {direct, by_env, nested, bare, no_newline}) {
        const LoadedFile file = loaded_file(script, shell);
        EXPECT_EQ(file.facts.kind, ElfKind::native) << script;
        EXPECT_TRUE(file.path.ends_with("/sh")) << script << " led to " << file.path;
        EXPECT_EQ(file.refusal, "") << script;
    }
}

TEST(Program, ScriptsThatLeadNowhereAreRefused) {
    TemporaryFolder folder;
    const std::string loop = folder.path() + "/loop";
    folder.write("loop", "#!" + loop + "\n", true);
    EXPECT_NE(loaded_file(loop, shell).refusal, "");
    EXPECT_NE(loaded_file(folder.write("empty", "#!\n", true), shell).refusal, "");
    const std::string wrong = folder.write("wrong", "#!/usr/bin/env no-such-program\n", true);
    EXPECT_NE(loaded_file(wrong, shell).refusal, "");
    const std::string absent = folder.write("absent", "#!/none/interpreter\n", true);
    EXPECT_EQ(loaded_file(absent, shell).refusal, "there is no program '/none/interpreter'");
}

TEST(Program, LibraryWithoutInterpreterIsAsStatic) {
    const LoadedFile file = loaded_file(SAMPLES "/libmpi.so.12", shell);
    EXPECT_NE(file.refusal.find("is linked statically"), std::string::npos);
}

TEST(Program, OtherRightsAreRefused) {
    TemporaryFolder folder;
    const std::string program = folder.copy("/bin/sh", "app");
    if (getuid() != 0 || chown(program.c_str(), 65534, 65534) != 0) {
        GTEST_SKIP() << "only root can give a file to another";
    }
    EXPECT_EQ(loaded_file(program, shell).refusal, "");
    std::filesystem::permissions(program, std::filesystem::perms::set_uid,
                                 std::filesystem::perm_options::add);
    EXPECT_NE(loaded_file(program, shell).refusal.find("setuid"), std::string::npos);
}

TEST(Program, DamagedAndForeignFilesAreRefused) {
    TemporaryFolder folder;
    const std::string damaged = folder.write("damaged", "\177ELF", true);
    EXPECT_NE(loaded_file(damaged, shell).refusal.find("damaged"), std::string::npos);
    const std::string foreign = folder.write("foreign", "\177ELF\1\1\1_________", true);
    EXPECT_NE(loaded_file(foreign, shell).refusal.find("architecture"), std::string::npos);
}

}  // namespace
}  // namespace tasuki::launcher

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "select/books.hpp"
#include "select/decision_file.hpp"

namespace tasuki {
namespace {

class DecisionFile : public testing::Test {
  protected:
    void SetUp() override {
        directory = std::filesystem::temp_directory_path() /
                    ("tasuki-decisions-" + std::to_string(::getpid()));
        std::filesystem::create_directories(directory);
        path = directory / "cache" / "decisions";
    }
    void TearDown() override { std::filesystem::remove_all(directory); }

    void write(const std::string& text) const {
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }
    std::size_t files() const {
        return static_cast<std::size_t>(
            std::distance(std::filesystem::directory_iterator(path.parent_path()), {}));
    }

    std::filesystem::path directory;
    std::filesystem::path path;
    const std::string fingerprint = book_of({}).fingerprint;
};

TEST_F(DecisionFile, AMissingFileIsNoError) {
    const DecisionFileResult result = load_decisions(path, fingerprint);
    EXPECT_FALSE(result.book);
    EXPECT_EQ(result.message, "");
}

TEST_F(DecisionFile, KeepsAndAddsUp) {
    EXPECT_EQ(add_decisions(path, book_of({64})).message, "");
    EXPECT_EQ(add_decisions(path, book_of({64, 128})).message, "");
    const DecisionFileResult result = load_decisions(path, fingerprint);
    ASSERT_TRUE(result.book) << result.message;
    ASSERT_EQ(result.book->decisions.size(), 2U);
    EXPECT_EQ(result.book->decisions.begin()->second.calls, 40000U);
    EXPECT_EQ(files(), 1U) << "a lock or a temporary file was left behind";
}

TEST_F(DecisionFile, TellsTheParametersOfTheLastRun) {
    DecisionBook book = book_of({64});
    add_decisions(path, book);  // as an older Tasuki
    for (const char* source : {"built-in, quick", "measured"}) {
        book.parameters = source;
        add_decisions(path, book);
        EXPECT_EQ(load_decisions(path, fingerprint).book->parameters, source);
    }
}

// A run that begins with the kept winner switches at its call 0.
TEST_F(DecisionFile, ASecondRunAddsToTheHistory) {
    const auto kept = [&] {
        return load_decisions(path, fingerprint).book->decisions.begin()->second;
    };
    DecisionBook book = book_of({64});
    Decision& decision = book.decisions.begin()->second;
    add_decisions(path, book);
    decision.switched_at = 0;
    add_decisions(path, book);
    EXPECT_EQ(kept().calls, 40000U);
    EXPECT_EQ(kept().switched_at, 42U) << "the same winner is in use since the first run";
    EXPECT_EQ(kept().find("bruck:radix=4")->samples, 1800U);
    EXPECT_EQ(kept().find("native")->samples, 80U);
    EXPECT_EQ(kept().common_drifts, 2U);
    EXPECT_DOUBLE_EQ(kept().learning_seconds, 2 * 0.0021);
    EXPECT_DOUBLE_EQ(kept().saved_seconds, -2.0 / 3);

    decision.winner = "native";
    decision.switched_at = 500;
    add_decisions(path, book);
    EXPECT_EQ(kept().switched_at, 40500U) << "counted over all runs";
    EXPECT_EQ(kept().calls, 60000U);
}

TEST_F(DecisionFile, ForeignNewerAndDamagedFilesAreExplained) {
    write(decisions_text(book_of({64})));
    const DecisionFileResult foreign = load_decisions(path, "MPICH 4.0");
    EXPECT_FALSE(foreign.book);
    EXPECT_NE(foreign.message.find("were learnt elsewhere (Open MPI 5.0.3, xeon-32, tcp"),
              std::string::npos);
    const std::string hint =
        "`tasuki decisions forget --all --file '" + path.string() + "'` removes";
    EXPECT_NE(foreign.message.find(hint), std::string::npos) << foreign.message;
    DecisionBook others = book_of({64});
    others.fingerprint = "MPICH 4.0";
    EXPECT_NE(add_decisions(path, others).message.find("are another machine's"), std::string::npos);

    write("tasuki-decisions 7\nwhatever\n");
    EXPECT_NE(load_decisions(path, fingerprint).message.find("a newer Tasuki"), std::string::npos);
    EXPECT_NE(add_decisions(path, book_of({64})).message.find("are left alone"), std::string::npos);
    EXPECT_NE(load_decisions(path, fingerprint).message.find("a newer Tasuki"), std::string::npos)
        << "a newer Tasuki's file was overwritten";

    write("rubbish");
    EXPECT_NE(load_decisions(path, fingerprint).message.find("cannot be used"), std::string::npos);
    EXPECT_NE(add_decisions(path, book_of({64})).message.find("the file is replaced"),
              std::string::npos);
    EXPECT_TRUE(load_decisions(path, fingerprint).book);
}

TEST_F(DecisionFile, APathThatCannotBeWrittenIsExplained) {
    write("");
    const std::filesystem::path below = path / "file";
    EXPECT_EQ(add_decisions(below, book_of({64})).message,
              "the decisions in " + below.string() + " cannot be written: the folder " +
                  path.string() +
                  " cannot be made: Not a directory; what this run has learnt is not kept");
}

TEST_F(DecisionFile, WhatForgettingCannotRemoveIsNotSaidToBeRemovedByIt) {
    std::filesystem::create_directories(path);
    EXPECT_EQ(load_decisions(path, fingerprint).message,
              "the decisions in " + path.string() +
                  " cannot be read: Is a directory; this run learns anew");
}

TEST_F(DecisionFile, ForgetsSingleKeys) {
    add_decisions(path, book_of({64, 128}));
    const std::vector<SelectionKey> keys = {
        make_key("alltoall", 64, Placement::blocks(32, 4), false)};
    EXPECT_EQ(forget_decisions(path, keys).message, "");
    EXPECT_EQ(load_decisions(path, fingerprint).book->decisions.size(), 1U);
    EXPECT_EQ(files(), 1U);
}

TEST_F(DecisionFile, EachMachineHasItsFileInTheCache) {
    ::setenv("TASUKI_CACHE", directory.c_str(), 1);
    EXPECT_EQ(decision_path(fingerprint).parent_path(), directory);
    EXPECT_NE(decision_path(fingerprint), decision_path("MPICH 4.0"));
    ::unsetenv("TASUKI_CACHE");
}

TEST_F(DecisionFile, ManyWritersLoseNothing) {
    constexpr int writers = 8;
    constexpr int rounds = 10;
    std::filesystem::create_directories(path.parent_path());
    for (int writer = 0; writer < writers; ++writer) {
        if (::fork() == 0) {
            for (int round = 0; round < rounds; ++round) {
                const std::int64_t bytes = std::int64_t{1} << (writer * rounds + round) % 60;
                DecisionBook book{fingerprint, {}};
                book.decisions[make_key("alltoall", bytes, Placement::one_node(2 + writer),
                                        false)] = some_decision();
                if (!add_decisions(path, book).message.empty()) ::_exit(1);
                if (!load_decisions(path, fingerprint).book) ::_exit(2);  // torn
            }
            ::_exit(0);
        }
    }
    for (int writer = 0; writer < writers; ++writer) {
        int status = 0;
        ASSERT_GT(::wait(&status), 0);
        EXPECT_EQ(status, 0);
    }
    const DecisionFileResult result = load_decisions(path, fingerprint);
    ASSERT_TRUE(result.book) << result.message;
    EXPECT_EQ(result.book->decisions.size(), static_cast<std::size_t>(writers * rounds));
    EXPECT_EQ(files(), 1U);
}

}  // namespace
}  // namespace tasuki

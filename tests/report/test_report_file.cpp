#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <stdexcept>
#include <unistd.h>

#include "report/records.hpp"
#include "report/report_file.hpp"

namespace tasuki::report {
namespace {

class ReportFile : public testing::Test {
  protected:
    void SetUp() override {
        folder = std::filesystem::temp_directory_path() /
                 ("tasuki-report-" + std::to_string(::getpid()));
        std::filesystem::create_directories(folder);
    }
    void TearDown() override { std::filesystem::remove_all(folder); }

    std::string text_of(const std::filesystem::path& path) const {
        std::ifstream file(path);
        return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    }

    std::filesystem::path folder;
};

TEST_F(ReportFile, TheNameSaysTheForm) {
    EXPECT_EQ(form_of("a/b.html"), Form::page);
    EXPECT_EQ(form_of("b.json"), Form::json);
    for (const char* name : {"b", "b.pdf", ".html", "b.html.gz"}) {
        EXPECT_THROW(form_of(name), std::invalid_argument) << name;
    }
}

TEST_F(ReportFile, WhatCannotBeWrittenIsKnownBefore) {
    EXPECT_EQ(why_not_writable(folder / "new.json"), "");
    EXPECT_NE(why_not_writable(folder).find("is a directory"), std::string::npos);
    EXPECT_NE(why_not_writable(folder / "none" / "a.json").find("there is no directory"),
              std::string::npos);
    EXPECT_NE(why_not_writable("/proc/a.json"), "");
    EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST_F(ReportFile, AnOldReportIsReplacedWhole) {
    const std::filesystem::path path = folder / "report.json";
    std::ofstream(path) << std::string(100000, 'x');
    write_report(path, run_of_pair());
    EXPECT_TRUE(text_of(path).starts_with("{\n  \"tasuki_report\""));
    write_report(folder / "report.html", run_of_pair());
    EXPECT_TRUE(text_of(folder / "report.html").starts_with("<!DOCTYPE html>"));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 2);
}

TEST_F(ReportFile, AFailureIsTold) {
    EXPECT_THROW(write_report(folder / "none" / "report.json", {}), std::runtime_error);
}

}  // namespace
}  // namespace tasuki::report

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "predict/kept_parameters.hpp"
#include "predict/machine_text.hpp"

namespace tasuki {
namespace {

class KeptParameters : public testing::Test {
  protected:
    void SetUp() override {
        directory = std::filesystem::temp_directory_path() /
                    ("tasuki-parameters-" + std::to_string(::getpid()));
        std::filesystem::create_directories(directory);
        ::setenv("TASUKI_CACHE", directory.c_str(), 1);
    }
    void TearDown() override {
        ::unsetenv("TASUKI_CACHE");
        std::filesystem::remove_all(directory);
    }

    /// Keeps parameters whose latency tells them from others.
    std::filesystem::path keep(const Fingerprint& fingerprint, double latency) const {
        MachineParameters machine = built_in_parameters("", false);
        machine.fingerprint = fingerprint.text();
        machine.on_node.latency = latency;
        const std::filesystem::path path = parameters_path(fingerprint);
        std::ofstream(path) << machine_text(machine);
        return path;
    }

    std::filesystem::path directory;
    const Fingerprint run = {"MPICH Version: 5.0.2", "xeon", 16, 1, 8, "default"};
};

TEST_F(KeptParameters, WithoutAnyTheBuiltInOnesAreTaken) {
    const FoundParameters found = find_parameters(run);
    EXPECT_TRUE(found.file.empty());
    EXPECT_TRUE(found.messages.empty());
    EXPECT_EQ(found.machine, built_in_parameters(run.library, false));
}

TEST_F(KeptParameters, TheNearestNumberOfRanksIsTaken) {
    Fingerprint kept = run;
    kept.ranks_per_node = 2;
    keep(kept, 2);
    kept.ranks_per_node = 16;
    const std::filesystem::path nearest = keep(kept, 16);
    const FoundParameters found = find_parameters(run);
    EXPECT_EQ(found.file, nearest);
    EXPECT_EQ(found.machine.on_node.latency, 16);
    EXPECT_EQ(found.machine.fingerprint, kept.text());
}

TEST_F(KeptParameters, WhatWasMeasuredElsewhereIsLeftAlone) {
    for (int what = 0; what < 5; ++what) {
        Fingerprint other = run;
        if (what == 0) other.library = "MPICH Version: 4.0.2";
        if (what == 1) other.node = "epyc";
        if (what == 2) other.cores = 8;
        if (what == 3) other.fabric = "UCX_TLS=tcp";
        if (what == 4) other.ranks_per_node = 32;  // oversubscribed, and the run is not
        keep(other, 1);
    }
    const FoundParameters found = find_parameters(run);
    EXPECT_TRUE(found.file.empty());
    EXPECT_TRUE(found.messages.empty());
}

TEST_F(KeptParameters, RanksThatAreBoundToFewCoresShareThem) {
    Fingerprint sharing = run;
    sharing.ranks_per_node = 32;
    const std::filesystem::path alone = keep(run, 1);
    const std::filesystem::path shared = keep(sharing, 32);
    EXPECT_EQ(find_parameters(run).file, alone);
    EXPECT_EQ(find_parameters(run, false).file, alone);
    EXPECT_EQ(find_parameters(run, true).file, shared);
    std::filesystem::remove(shared);
    EXPECT_EQ(find_parameters(run, true).machine, built_in_parameters(run.library, true));
}

TEST_F(KeptParameters, ARunOnSeveralNodesNeedsPairsAcrossNodes) {
    Fingerprint wide = run;
    wide.nodes = 4;
    keep(run, 1);
    EXPECT_TRUE(find_parameters(wide).file.empty());
    keep(wide, 4);
    EXPECT_EQ(find_parameters(wide).machine.on_node.latency, 4);
    wide.nodes = 2;
    EXPECT_EQ(find_parameters(wide).machine.on_node.latency, 4);
    EXPECT_EQ(find_parameters(run).machine.on_node.latency, 1);
}

TEST_F(KeptParameters, WhatCannotBeReadIsToldAndPassedOver) {
    Fingerprint other = run;
    other.ranks_per_node = 4;
    const std::filesystem::path good = keep(other, 4);
    const std::string text = machine_text(built_in_parameters("", false));
    const std::pair<const char*, std::string> bad[] = {
        {"damaged", text.substr(0, text.size() - 4)},
        {"foreign", "#!/bin/sh\n"},
        {"newer", "tasuki-plogp 2\n"},
        {"described", text},  // its fingerprint is none of a run
    };
    for (const auto& [name, content] : bad) {
        std::ofstream(directory / (std::string("plogp-mpich-version-5-0-2-") + name)) << content;
    }
    std::ofstream(directory / "plogp-open-mpi-v5-0-11-damaged") << "of no interest to this library";
    const FoundParameters found = find_parameters(run);
    EXPECT_EQ(found.file, good);
    ASSERT_EQ(found.messages.size(), std::size(bad));
    std::string all;
    for (const std::string& message : found.messages) {
        EXPECT_NE(message.find("tasuki model measure"), std::string::npos);
        all += message;
    }
    for (const char* expected :
         {"cut off", "no file of P-LogP parameters", "it has version 2", "is no fingerprint"}) {
        EXPECT_NE(all.find(expected), std::string::npos) << expected << " in " << all;
    }
}

TEST_F(KeptParameters, EachFingerprintHasItsOwnFile) {
    Fingerprint other = run;
    other.fabric = "UCX_TLS=tcp";
    EXPECT_NE(parameters_path(run), parameters_path(other));
    EXPECT_EQ(parameters_path(run).parent_path(), directory);
    other.node = std::string(1000, 'x');
    EXPECT_LE(parameters_path(other).filename().string().size(), 255u);
}

TEST(BuiltInParameters, KnowEveryKindOfLibrary) {
    for (const char* library :
         {"Open MPI v4.1.4", "MPICH Version: 5.0.2", "Intel(R) MPI Library", "another"}) {
        const MachineParameters& alone = built_in_parameters(library, false);
        const MachineParameters& sharing = built_in_parameters(library, true);
        EXPECT_LT(alone.on_node.gap(1 << 20), sharing.on_node.gap(1 << 20)) << library;
        EXPECT_LT(alone.on_node.latency, sharing.on_node.latency) << library;
        EXPECT_LT(alone.on_node.latency, alone.off_node.latency) << library;
        EXPECT_EQ(read_machine(machine_text(alone)), alone) << library;
    }
    EXPECT_NE(built_in_parameters("Open MPI v4.1.4", false), built_in_parameters("Intel", false));
}

}  // namespace
}  // namespace tasuki

#include <cstdlib>
#include <gtest/gtest.h>

#include "predict/fingerprint.hpp"

namespace tasuki {
namespace {

const Fingerprint known = {.library = "Open MPI v5.0.11",
                           .node = "AMD EPYC 7B13",
                           .cores = 32,
                           .nodes = 8,
                           .ranks_per_node = 4,
                           .fabric = "default"};

TEST(Fingerprint, ReadsBack) {
    EXPECT_EQ(known.text(),
              "Open MPI v5.0.11 | AMD EPYC 7B13 | 32 cores | 8x4 ranks | default fabric");
    EXPECT_EQ(read_fingerprint(known.text()), known);
}

TEST(Fingerprint, AnythingElseIsRefused) {
    for (const char* text :
         {"", "primergy", "a | b | c | d | e", "a | b | 2 cores | 2 ranks | default fabric",
          "a | b | 0 cores | 1x2 ranks | default fabric",
          "a | b | 2 cores | 1x2 ranks | default fabric | more",
          "a | b | 2 cores | 1x2x3 ranks | default fabric",
          "a | b | 2 cores | 1x2 ranks |  fabric"}) {
        EXPECT_THROW(read_fingerprint(text), std::invalid_argument) << text;
    }
}

TEST(Fingerprint, ALibraryIsToldByNameAndVersionOnly) {
    const auto library = [](const char* version) {
        return fingerprint_of_run(version, Placement::one_node(2)).library;
    };
    EXPECT_EQ(library("Open MPI v5.0.11, package: Open MPI user@host, ident: 5.0.11"),
              "Open MPI v5.0.11");
    EXPECT_EQ(library("MPICH Version:      5.0.2\nMPICH Release date: today\n"),
              "MPICH Version: 5.0.2");
    EXPECT_EQ(library("a | b"), "a / b");
    EXPECT_EQ(library(""), "unknown MPI");
}

TEST(Fingerprint, ARunIsToldFromOneOverAnotherFabric) {
    const Placement placement = Placement::blocks(6, 4);
    const Fingerprint before = fingerprint_of_run("MPI", placement);
    EXPECT_EQ(before.nodes, 2);
    EXPECT_EQ(before.ranks_per_node, 4);
    EXPECT_GE(before.cores, 1);
    ASSERT_EQ(::setenv("OMPI_MCA_btl", "self, tcp", 1), 0);
    const Fingerprint after = fingerprint_of_run("MPI", placement);
    ::unsetenv("OMPI_MCA_btl");
    EXPECT_NE(after.fabric.find("OMPI_MCA_btl=self, tcp"), std::string::npos);
    EXPECT_NE(after, before);
    EXPECT_EQ(read_fingerprint(after.text()), after);
}

}  // namespace
}  // namespace tasuki

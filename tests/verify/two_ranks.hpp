// The all-to-all of two ranks, for tests that break it in one place.
#pragma once

#include <gtest/gtest.h>

#include "contract/alltoall.hpp"
#include "schedule/builder.hpp"
#include "verify/verify.hpp"

namespace tasuki {

/// A program with a chunk for each of two ranks.
inline ProgramBuilder two_ranks_program() {
    return ProgramBuilder(2, 2);
}

/// What rank `rank` does in a right all-to-all of two.
inline Program exchange(std::int32_t rank) {
    const std::int32_t other = 1 - rank;
    ProgramBuilder program = two_ranks_program();
    program.recv(other, output(other));
    program.send(other, input(other));
    program.copy(input(rank), output(rank));
    return program.finish();
}

inline Schedule two_ranks(Program rank_0, Program rank_1) {
    return {"alltoall",
            "test",
            {.ranks = 2, .placement = Placement::one_node(2)},
            {std::move(rank_0), std::move(rank_1)}};
}

inline Verdict verify_alltoall(const Schedule& schedule) {
    return verify(schedule, AllToAll());
}

/// Expects a finding of this rank, step and chunk whose message contains `words`.
inline void expect_finding(const Verdict& verdict, std::int32_t rank, std::optional<StepId> step,
                           std::optional<std::int32_t> chunk, const std::string& words) {
    for (const Finding& finding : verdict.findings) {
        if (finding.rank == rank && finding.step == step && finding.chunk == chunk &&
            finding.message.find(words) != std::string::npos) {
            EXPECT_NE(finding.message.find("rank " + std::to_string(rank)), std::string::npos);
            if (step) {
                EXPECT_NE(finding.message.find("step " + std::to_string(*step)), std::string::npos);
            }
            if (chunk) {
                EXPECT_NE(finding.message.find("chunk " + std::to_string(*chunk)),
                          std::string::npos);
            }
            return;
        }
    }
    ADD_FAILURE() << "no finding with \"" << words << "\" in:\n" << verdict.text();
}

}  // namespace tasuki

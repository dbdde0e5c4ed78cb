// Proves every row: for all numbers of ranks that it must work for, under several placements, with
// parameters at the ends of their ranges.
#include <gtest/gtest.h>

#include "algorithms/cases.hpp"
#include "contract/contract.hpp"
#include "schedule/sends_first.hpp"
#include "verify/trees.hpp"
#include "verify/verify.hpp"

namespace tasuki::test {

namespace {

std::vector<std::int32_t> numbers_of_ranks() {
    std::vector<std::int32_t> numbers = {48, 64, 100, 128};
    for (std::int32_t ranks = 33; ranks >= 1; --ranks) numbers.insert(numbers.begin(), ranks);
    return numbers;
}

}  // namespace

TEST_P(EveryRow, KeepsItsContract) {
    const Algorithm& row = *GetParam();
    const auto contract = contract_of(row.collective);
    for (std::int32_t ranks : numbers_of_ranks()) {
        const std::vector<Schedule> list = schedules(row, ranks, Roots::all);
        EXPECT_TRUE(!list.empty() || !row.domain.empty()) << ranks << " ranks";
        for (const Schedule& schedule : list) {
            const Verdict verdict = verify(schedule, *contract);
            ASSERT_TRUE(verdict.holds()) << text_of(schedule) << "\n" << verdict.text();
        }
    }
}

/// What --reproducible stands on: rows that take each other's place give the same bits.
TEST_P(EveryRow, EvaluatesTheCanonicalTreeWhereItSaysSo) {
    const Algorithm& row = *GetParam();
    const auto contract = contract_of(row.collective);
    if (!contract->reduces()) return;
    Trees trees;
    for (std::int32_t ranks : numbers_of_ranks()) {
        if (!row.is_canonical(ranks)) continue;
        for (const Schedule& schedule : schedules(row, ranks, Roots::all)) {
            const SymbolicRun run(schedule);
            for (std::int32_t rank = 0; rank < ranks; ++rank) {
                const Program& program = schedule.programs[rank];
                for (std::int32_t chunk = 0; chunk < program.output_chunks; ++chunk) {
                    const auto operands =
                        contract->expected(program, rank, chunk, schedule.instance);
                    if (operands.empty()) continue;
                    const auto number = static_cast<std::int32_t>(operands.size());
                    ASSERT_EQ(trees.of(run, rank, chunk), trees.canonical(number))
                        << text_of(schedule) << ", rank " << rank << ": "
                        << run.expression(rank, chunk);
                }
            }
        }
    }
}

/// As ranks that share memory run it.
TEST_P(EveryRow, KeepsItsContractWithSendsFirst) {
    const Algorithm& row = *GetParam();
    const auto contract = contract_of(row.collective);
    for (std::int32_t ranks : {1, 2, 3, 4, 5, 7, 8, 9, 16, 17}) {
        for (Schedule& schedule : schedules(row, ranks, Roots::all)) {
            for (Program& program : schedule.programs) program = with_sends_first(program);
            const Verdict verdict = verify(schedule, *contract);
            ASSERT_TRUE(verdict.holds()) << text_of(schedule) << "\n" << verdict.text();
        }
    }
}

TEST_P(EveryRow, ReadsThePlacementOnlyIfItSaysSo) {
    const Algorithm& row = *GetParam();
    if (row.needs_placement) return;
    for (std::int32_t ranks : {6, 13}) {
        const Schedule alone = row.schedule({.ranks = ranks,
                                             .parameters = row.default_parameters(),
                                             .placement = Placement::one_node(ranks)});
        for (const Placement& placement : placements(ranks)) {
            Instance instance = alone.instance;
            instance.placement = placement;
            EXPECT_EQ(row.schedule(instance).programs, alone.programs) << placement.text();
        }
    }
}

}  // namespace tasuki::test

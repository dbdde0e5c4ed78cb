// Reductions: a contract with several operands, and the tree that a schedule evaluates.
#include <gtest/gtest.h>

#include "schedule/builder.hpp"
#include "verify/symbolic_run.hpp"
#include "verify/verify.hpp"

namespace tasuki {
namespace {

/// The sum of one chunk of each rank, on rank 0; the others may hold anything.
class Sum : public Contract {
  public:
    std::string_view collective() const override { return "reduce"; }
    std::string check_shape(const Program&, std::int32_t, const Instance&) const override {
        return {};
    }
    std::vector<Origin> expected(const Program&, std::int32_t rank, std::int32_t chunk,
                                 const Instance& instance) const override {
        std::vector<Origin> operands;
        for (std::int32_t i = 0; i < instance.ranks && rank == 0; ++i)
            operands.push_back({i, chunk});
        return operands;
    }
};

/// Rank 0 receives from 1 and 2 and adds on the given sides.
Schedule sum_of_three(Operand first, Operand second, std::int32_t second_source) {
    ProgramBuilder root(1, 1);
    const std::int32_t space = root.reserve_scratch(2);
    const StepId own = root.copy(input(0), output(0));
    const StepId one = root.recv(1, scratch(space));
    const StepId two = root.recv(2, scratch(space + 1));
    const StepId added = root.reduce(scratch(space), first, output(0), {own, one});
    root.reduce(scratch(space + second_source - 1), second, output(0), {added, two});
    ProgramBuilder leaf(1, 1);
    leaf.send(0, input(0));
    const Program sender = leaf.finish();
    return {"reduce", "test", {.ranks = 3}, {root.finish(), sender, sender}};
}

TEST(Reductions, AreRightWhateverTheTree) {
    for (Operand first : {Operand::left, Operand::right}) {
        const Verdict verdict = verify(sum_of_three(first, Operand::right, 2), Sum());
        EXPECT_TRUE(verdict.holds()) << verdict.text();
    }
}

TEST(Reductions, TellTheirTree) {
    const Schedule right = sum_of_three(Operand::right, Operand::right, 2);
    EXPECT_EQ(SymbolicRun(right).expression(0, 0), "((0.0 + 1.0) + 2.0)");
    const Schedule left = sum_of_three(Operand::left, Operand::left, 2);
    EXPECT_EQ(SymbolicRun(left).expression(0, 0), "(2.0 + (1.0 + 0.0))");
    EXPECT_EQ(SymbolicRun(left).expression(1, 0), "nothing");
}

TEST(Reductions, MustUseEveryOperandOnce) {
    const Verdict verdict = verify(sum_of_three(Operand::right, Operand::right, 1), Sum());
    ASSERT_EQ(verdict.findings.size(), 1U) << verdict.text();
    EXPECT_EQ(verdict.findings[0].message,
              "rank 0 step 4 (reduce right scratch[0:1] into output[0:1]): output chunk 0 holds "
              "((0.0 + 1.0) + 1.0); expected input chunk 0 of rank 0, input chunk 0 of rank 1, "
              "input chunk 0 of rank 2");
}

}  // namespace
}  // namespace tasuki

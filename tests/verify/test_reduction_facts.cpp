// What is stated of the rows of reductions, against what their trees are known to be.
#include <gtest/gtest.h>
#include <map>
#include <string>

#include "schedule/builder.hpp"
#include "verify/reduction_facts.hpp"
#include "verify/trees.hpp"

namespace tasuki {
namespace {

/// A letter for each fact that holds: same on all (r)anks, for all (c)hunks, (p)lacements, r(o)ots
/// and para(m)eters; order (k)ept; canonical (T)ree, or (t) for powers of two only.
std::string letters(const ReductionFacts& facts) {
    std::string text;
    if (facts.same_on_all_ranks) text += 'r';
    if (facts.same_for_all_chunks) text += 'c';
    if (facts.same_for_all_placements) text += 'p';
    if (facts.same_for_all_roots) text += 'o';
    if (facts.same_for_all_parameters) text += 'm';
    if (facts.keeps_rank_order) text += 'k';
    if (facts.canonical_for_powers_of_two) text += facts.canonical ? 'T' : 't';
    return text;
}

TEST(ReductionFacts, AreWhatIsKnownOfTheAlgorithms) {
    const std::map<std::string, std::string> expected = {
        {"allreduce/canonical-tree", "rcpomkT"},
        {"allreduce/direct", "rcpomkT"},
        {"allreduce/node-aware", "rcom"},
        {"allreduce/one-shot", "rcpomkT"},
        {"allreduce/rabenseifner", "rcpomkt"},
        {"allreduce/recursive-doubling", "rcpomkt"},
        {"allreduce/reduce-bcast", "rcpomkT"},
        {"allreduce/ring", "rpom"},
        {"allreduce/segmented-ring", "rpo"},
        {"exscan/canonical-tree", "rcpomkT"},
        {"exscan/hillis-steele", "rcpomk"},
        {"exscan/linear", "rcpomk"},
        {"exscan/one-shot", "rcpomkT"},
        {"exscan/sklansky", "rcpomkT"},
        {"reduce-scatter/canonical-tree", "rcpomkT"},
        {"reduce-scatter/pairwise", "rpom"},
        {"reduce-scatter/recursive-doubling", "rcpomkT"},
        {"reduce-scatter/recursive-halving", "rcpom"},
        {"reduce-scatter/ring", "rpom"},
        {"reduce/binomial", "rcpm"},
        {"reduce/canonical-tree", "rcpomkT"},
        {"reduce/chain", "rcpm"},
        {"reduce/knomial", "rcp"},
        {"reduce/linear", "rcpomkT"},
        {"reduce/rabenseifner", "rcpomkt"},
        {"scan/canonical-tree", "rcpomkT"},
        {"scan/hillis-steele", "rcpomk"},
        {"scan/linear", "rcpomk"},
        {"scan/one-shot", "rcpomkT"},
        {"scan/sklansky", "rcpomkT"},
    };
    std::map<std::string, std::string> found;
    for (const ReductionFacts& facts : all_reduction_facts()) {
        found[std::string(facts.algorithm->collective) + "/" + std::string(facts.algorithm->name)] =
            letters(facts);
    }
    EXPECT_EQ(found, expected);
}

ReductionTree tree_of(const ReductionFacts& facts) {
    const bool always = facts.same_on_all_ranks && facts.same_for_all_placements &&
                        facts.same_for_all_roots && facts.same_for_all_parameters;
    if (always && facts.canonical) return ReductionTree::canonical;
    if (!facts.keeps_rank_order) return ReductionTree::any_order;
    return always && facts.canonical_for_powers_of_two ? ReductionTree::canonical_for_powers_of_two
                                                       : ReductionTree::rank_order;
}

TEST(ReductionFacts, AreWhatTheTableSaysOfTheTrees) {
    std::map<std::string, ReductionTree> computed;
    for (const ReductionFacts& facts : all_reduction_facts()) {
        computed[std::string(facts.algorithm->file)] = tree_of(facts);
    }
    for (const Algorithm& row : all_algorithms()) {
        const auto found = computed.find(std::string(row.file));
        const bool reduces = found != computed.end();
        EXPECT_EQ(row.tree, reduces ? found->second : ReductionTree::any_order)
            << "`tree` of " << row.file << " in algorithms.toml";
    }
}

/// Rank 0 sums up from the left and rank 1 from the right.
Program two_orders(std::int32_t rank, const Instance&) {
    ProgramBuilder program(1, 1);
    const StepId received = program.recv(1 - rank, output(0));
    program.send(1 - rank, input(0));
    program.reduce(input(0), Operand::left, output(0), {received});
    return program.finish();
}

TEST(ReductionFacts, FindRanksThatSumUpInAnotherOrder) {
    constexpr std::int32_t two[] = {2};
    Algorithm row = *find_algorithm("allreduce", "ring");
    EXPECT_TRUE(reduction_facts(row, two).same_on_all_ranks);
    row.generate = two_orders;
    EXPECT_EQ(letters(reduction_facts(row, two)), "pom");
}

TEST(Trees, AreTheSameWhateverTheChunk) {
    Trees trees;
    const auto pair = trees.combined(trees.leaf(0), trees.leaf(1));
    EXPECT_EQ(pair, trees.canonical(2));
    EXPECT_EQ(trees.canonical(3), trees.combined(pair, trees.leaf(2)));
    EXPECT_NE(trees.canonical(3),
              trees.combined(trees.leaf(0), trees.combined(trees.leaf(1), trees.leaf(2))));
    EXPECT_TRUE(trees.keeps_order(trees.canonical(7)));
    EXPECT_FALSE(trees.keeps_order(trees.combined(trees.leaf(1), trees.leaf(0))));
    EXPECT_FALSE(trees.keeps_order(
        trees.combined(trees.combined(trees.leaf(0), trees.leaf(2)), trees.leaf(1))));
}

}  // namespace
}  // namespace tasuki

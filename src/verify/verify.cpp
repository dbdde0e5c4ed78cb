#include "verify/verify.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "verify/describe.hpp"
#include "verify/structure.hpp"
#include "verify/symbolic_run.hpp"

namespace tasuki {

namespace {

std::string text_of(const std::vector<Origin>& origins) {
    constexpr std::size_t most = 8;
    std::string text;
    for (std::size_t i = 0; i < origins.size() && i < most; ++i) {
        text += (text.empty() ? "" : ", ") + describe(Space::input, origins[i].chunk) +
                " of rank " + std::to_string(origins[i].rank);
    }
    if (origins.size() > most) text += " and " + std::to_string(origins.size() - most) + " more";
    return text;
}

/// What has been proved of an output chunk of the rank before: mostly the next rank's is the same.
struct Proved {
    Value value = unwritten;
    std::vector<Origin> expected;
};

/// Whether the value is made of exactly the expected chunks, each once, in any order.
bool is_made_of(const Expressions& expressions, Value value, const std::vector<Origin>& expected) {
    if (expected.size() == 1) return value == expressions.leaf(expected.front());
    // The count comes first: the tree of a wrong schedule may have exponentially many leaves.
    if (expressions.leaf_count(value) != static_cast<std::int64_t>(expected.size())) return false;
    std::vector<Origin> found = expressions.leaves(value);
    std::sort(found.begin(), found.end());
    std::vector<Origin> sorted = expected;
    std::sort(sorted.begin(), sorted.end());
    return found == sorted;
}

std::string holding(const SymbolicRun& run, std::int32_t rank, std::int32_t chunk) {
    const Value value = run.output(rank, chunk);
    if (value == unwritten) return "is never written";
    const std::string holds = run.expressions().leaf_count(value) == 1
                                  ? text_of(run.expressions().leaves(value))
                                  : run.expressions().text(value, 200);
    return "holds " + holds;
}

void check_output(const Schedule& schedule, const Contract& contract, const SymbolicRun& run,
                  std::int32_t rank, std::vector<Proved>& proved, std::vector<Finding>& findings) {
    const Program& program = schedule.programs[rank];
    proved.resize(std::max(proved.size(), static_cast<std::size_t>(program.output_chunks)));
    for (std::int32_t chunk = 0; chunk < program.output_chunks; ++chunk) {
        auto expected = contract.expected(program, rank, chunk, schedule.instance);
        const Value value = run.output(rank, chunk);
        if (expected.empty() || value == unknown) continue;
        if (proved[chunk].value == value && proved[chunk].expected == expected) continue;
        if (is_made_of(run.expressions(), value, expected)) {
            proved[chunk] = {value, std::move(expected)};
            continue;
        }
        const auto writer = run.output_writer(rank, chunk);
        findings.push_back({rank, writer, chunk,
                            (writer ? describe(schedule, rank, *writer) + ": "
                                    : "rank " + std::to_string(rank) + ": ") +
                                describe(Space::output, chunk) + " " + holding(run, rank, chunk) +
                                "; expected " + text_of(expected)});
    }
}

void append(std::vector<Finding>& findings, std::vector<Finding> more) {
    std::move(more.begin(), more.end(), std::back_inserter(findings));
}

}  // namespace

Verdict verify(const Schedule& schedule, const Contract& contract) {
    Verdict verdict{find_malformed(schedule, contract)};
    if (!verdict.holds()) return verdict;
    append(verdict.findings, find_hazards(schedule));
    // Messages that nothing meets would be told again as a deadlock of everyone who waits.
    const auto unmatched = find_unmatched(schedule);
    append(verdict.findings, unmatched);
    if (!unmatched.empty()) return verdict;
    append(verdict.findings, find_unequal(schedule, contract));
    const SymbolicRun run(schedule);
    append(verdict.findings, run.findings());
    if (!run.ended()) return verdict;
    std::vector<Proved> proved;
    for (std::int32_t rank = 0; rank < schedule.instance.ranks; ++rank) {
        check_output(schedule, contract, run, rank, proved, verdict.findings);
    }
    if (contract.synchronises()) append(verdict.findings, find_unsynchronised(schedule, run));
    return verdict;
}

}  // namespace tasuki

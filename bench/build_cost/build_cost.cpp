// What it costs one rank to build its program; see README.md.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "../common/report.hpp"
#include "algorithms/algorithm.hpp"

namespace tasuki {
namespace {

constexpr std::int32_t ranks_per_node = 64;

/// What is measured, and what must come out.
struct Subject {
    const char* choice;
    std::int32_t most_ranks;
    std::function<std::int64_t(std::int64_t ranks)> sends;
    double limit_seconds = 0;  ///< at most_ranks; 0: none is set
};

std::int64_t digits(std::int64_t ranks, std::int64_t radix) {
    std::int64_t count = 0;
    for (std::int64_t weight = 1; weight < ranks; weight *= radix) ++count;
    return count;
}

std::vector<Subject> subjects() {
    const auto one_each = [](std::int64_t ranks) { return ranks - 1; };
    return {
        {"bruck", 1'000'000, [](std::int64_t ranks) { return digits(ranks, 2); }, 1e-3},
        // 1,000,000 is a power of ten, so that every digit value has its message.
        {"bruck:radix=10", 1'000'000, [](std::int64_t ranks) { return 9 * digits(ranks, 10); },
         1e-3},
        {"recursive-doubling", 1'000'000, nullptr, 1e-3},
        {"spread", 100'000, one_each, 50e-3},
        {"spread:window=16", 100'000, one_each, 50e-3},
        {"pairwise", 100'000, one_each, 50e-3},
        {"pairwise-light-barrier", 100'000, [](std::int64_t ranks) { return 2 * ranks - 3; }},
        // P log P steps: at 100,000 ranks a program would have 3.6 million.
        {"pairwise-barrier", 10'000,
         [](std::int64_t ranks) { return ranks - 1 + (ranks - 2) * digits(ranks, 2); }},
        {"ring", 100'000, one_each, 50e-3},
        {"two-level-ring", 100'000, one_each, 50e-3},
        {"node-aware", 100'000, nullptr},
        {"node-aware:leaders=1", 100'000, nullptr},
    };
}

struct Row {
    std::string algorithm;
    std::int32_t ranks;
    std::size_t steps;
    std::int64_t sends;
    std::size_t bytes;
    double median_seconds;
    double spread;  ///< interquartile range over the median
};

/// `make_instance` makes it anew for each repetition, so that nothing is kept from the one before.
Row measure(const Algorithm& algorithm, const std::string& choice,
            const std::function<Instance()>& make_instance) {
    std::vector<double> seconds;
    Program program;
    std::int32_t ranks = 0;
    double spent = 0;
    while (seconds.size() < 5 || (spent < 0.05 && seconds.size() < 1000)) {
        program = Program{};  // given back before the clock starts
        const Instance instance = make_instance();
        ranks = instance.ranks;
        // In the middle, and the first of its node: where there is one leader a node, it is it.
        const std::int32_t rank = ranks / 3 / ranks_per_node * ranks_per_node;
        const double start = cpu_seconds();
        program = algorithm.generate(rank, instance);
        seconds.push_back(cpu_seconds() - start);
        spent += seconds.back();
    }
    std::sort(seconds.begin(), seconds.end());
    const double median = seconds[seconds.size() / 2];
    const double range = seconds[seconds.size() * 3 / 4] - seconds[seconds.size() / 4];
    const auto sends = std::count_if(program.steps.begin(), program.steps.end(),
                                     [](const Step& step) { return step.kind == StepKind::send; });
    return {.algorithm = choice,
            .ranks = ranks,
            .steps = program.steps.size(),
            .sends = sends,
            .bytes = program.steps.capacity() * sizeof(Step) +
                     program.after_steps.capacity() * sizeof(StepId),
            .median_seconds = median,
            .spread = range / median};
}

/// contention-free on random nodes of a tree of 18 roots, with the table of all stages, which the
/// first program of a communicator pays for.
Row measure_with_routes(std::int32_t nodes) {
    std::vector<std::int32_t> hosts(648);
    std::iota(hosts.begin(), hosts.end(), 0);
    std::shuffle(hosts.begin(), hosts.end(), std::mt19937(1));
    std::string routes;
    for (std::int32_t node = 0; node < nodes; ++node) {
        routes += (node == 0 ? "" : ",") + std::to_string(hosts[node] / 18) + "/" +
                  std::to_string(hosts[node] % 18);
    }
    const Placement placement = Placement::blocks(nodes, 1);
    return measure(*find_algorithm("alltoall", "contention-free"), "contention-free", [&] {
        return Instance{.ranks = nodes,
                        .placement = placement.with_routes(NodeRoutes::parse(routes))};
    });
}

std::string document(const std::vector<Row>& rows, const std::vector<std::string>& failures) {
    std::ostringstream json;
    json << "{\"benchmark\": \"build-cost\",\n \"machine\": " << machine_json()
         << ",\n \"mpi\": [], \"ranks\": [";
    std::vector<std::int32_t> ranks;
    for (const Row& row : rows) ranks.push_back(row.ranks);
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    for (std::size_t i = 0; i < ranks.size(); ++i) json << (i == 0 ? "" : ", ") << ranks[i];
    json << "],\n \"rows\": [";
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Row& row = rows[i];
        json << (i == 0 ? "\n" : ",\n") << "  {\"algorithm\": " << std::quoted(row.algorithm)
             << ", \"ranks\": " << row.ranks << ", \"steps\": " << row.steps
             << ", \"sends\": " << row.sends << ", \"bytes\": " << row.bytes
             << ", \"median_seconds\": " << row.median_seconds << ", \"spread\": " << row.spread
             << "}";
    }
    json << "],\n \"summary\": {\"failures\": [";
    for (std::size_t i = 0; i < failures.size(); ++i) {
        json << (i == 0 ? "" : ", ") << std::quoted(failures[i]);
    }
    json << "]}}\n";
    return json.str();
}

void print(const Row& row) {
    std::cout << std::left << std::setw(24) << row.algorithm << std::right << std::setw(9)
              << row.ranks << std::setw(10) << row.steps << std::setw(12) << row.bytes << " B"
              << std::setw(12) << std::fixed << std::setprecision(1) << row.median_seconds * 1e6
              << " us" << std::setw(7) << std::setprecision(2) << row.spread << "\n"
              << std::flush;
}

int run(const std::string& json_file, std::int32_t most_ranks) {
    std::vector<Row> rows;
    std::vector<std::string> failures;
    std::cout << "algorithm                   ranks     steps        memory         time  spread\n";
    for (const Subject& subject : subjects()) {
        const auto [algorithm, parameters, carrier] = parse_choice("alltoall", subject.choice);
        const std::int32_t most = std::min(most_ranks, subject.most_ranks);
        for (std::int32_t ranks = 100; ranks <= most; ranks *= 10) {
            const Instance instance{.ranks = ranks,
                                    .parameters = parameters,
                                    .placement = Placement::blocks(ranks, ranks_per_node)};
            rows.push_back(measure(*algorithm, subject.choice, [&] { return instance; }));
            const Row& row = rows.back();
            print(row);
            const std::string which =
                std::string(subject.choice) + " on " + std::to_string(ranks) + " ranks: ";
            if (subject.sends && row.sends != subject.sends(ranks)) {
                failures.push_back(which + std::to_string(row.sends) + " sends, expected " +
                                   std::to_string(subject.sends(ranks)));
            }
            if (subject.limit_seconds > 0 && row.median_seconds > subject.limit_seconds) {
                failures.push_back(which + std::to_string(row.median_seconds) +
                                   " s, wanted at most " + std::to_string(subject.limit_seconds));
            }
        }
    }
    for (const auto& [nodes, limit_seconds] : {std::pair{100, 1.0}, std::pair{648, 10.0}}) {
        rows.push_back(measure_with_routes(nodes));
        print(rows.back());
        if (rows.back().median_seconds > limit_seconds || rows.back().sends != nodes - 1) {
            failures.push_back("contention-free on " + std::to_string(nodes) +
                               " nodes: " + std::to_string(rows.back().sends) + " sends in " +
                               std::to_string(rows.back().median_seconds) + " s");
        }
    }
    return finish(json_file, document(rows, failures), failures);
}

}  // namespace
}  // namespace tasuki

int main(int argc, char** argv) {
    const auto [json_file, most_ranks] =
        tasuki::parse_options(argc, argv, "bench_build_cost", 1'000'000);
    return tasuki::run(json_file, most_ranks);
}

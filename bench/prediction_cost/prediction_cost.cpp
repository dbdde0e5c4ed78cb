// What it costs one rank to predict every algorithm; see README.md.
#include <algorithm>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "../common/report.hpp"
#include "candidate_sets.hpp"
#include "predict/kept_parameters.hpp"
#include "predict/predictor.hpp"

namespace tasuki {
namespace {

constexpr int repetitions = 20;
constexpr int repetitions_of_sets = 7;
constexpr std::int64_t bytes = 4096;
constexpr std::int32_t ranks_with_limit = 1024;
constexpr double limit_seconds = 10e-3;

struct Row {
    std::string placement;
    std::int32_t ranks;
    Quartiles making;
    Quartiles predicting;  ///< one size
    std::string slowest;   ///< row of the table
    double slowest_seconds;

    double seconds() const { return making.median + predicting.median; }
    /// What an undisturbed machine takes.
    double fastest() const { return making.fastest + predicting.fastest; }
};

/// All rows of the table whose domain the instance is in, with the defaults of their parameters.
Row measure(Instance instance, const std::string& name) {
    const MachineParameters& machine = built_in_parameters("", false);
    std::vector<double> making(repetitions), predicting(repetitions);
    Row row{name, instance.ranks, {}, {}, "", 0};
    for (const Algorithm& algorithm : all_algorithms()) {
        if (algorithm.collective != "alltoall" || !algorithm.outside_domain(instance).empty()) {
            continue;
        }
        instance.parameters = algorithm.default_parameters();
        std::vector<double> own;
        for (int i = 0; i < repetitions; ++i) {
            const double start = cpu_seconds();
            const Predictor predictor(algorithm, instance);
            const double made = cpu_seconds();
            const double predicted = predictor.seconds(bytes, machine);
            const double end = cpu_seconds();
            if (!(predicted > 0)) throw std::logic_error(std::string(algorithm.name));
            making[i] += made - start;
            predicting[i] += end - made;
            own.push_back(end - start);
        }
        const double seconds = quartiles_of(std::move(own)).median;
        if (seconds > row.slowest_seconds) {
            row.slowest = algorithm.name;
            row.slowest_seconds = seconds;
        }
    }
    row.making = quartiles_of(making);
    row.predicting = quartiles_of(predicting);
    return row;
}

/// As launchers place ranks, and with nodes of different sizes.
std::vector<std::pair<std::string, Placement>> placements(std::int32_t ranks) {
    std::vector<std::int32_t> uneven(ranks);
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        uneven[rank] = rank < ranks / 4 ? rank / 16 : rank / 32 + ranks;
    }
    return {{"one node", Placement::one_node(ranks)},
            {"32 a node", Placement::blocks(ranks, 32)},
            {"28 a node", Placement::blocks(ranks, 28)},
            {"one a node", Placement::blocks(ranks, 1)},
            {"16 or 32 a node", Placement::from_nodes(uneven)}};
}

std::string sets_json(const std::vector<SetCost>& sets) {
    std::ostringstream json;
    for (std::size_t i = 0; i < sets.size(); ++i) {
        const SetCost& set = sets[i];
        json << (i == 0 ? "\n" : ",\n") << "  {\"collective\": " << std::quoted(set.collective)
             << ", \"placement\": " << std::quoted(set.placement)
             << ", \"candidates\": " << set.candidates << ", \"fastest_seconds\": " << set.fastest()
             << ", \"making_seconds\": " << set.making.median
             << ", \"making_spread\": " << set.making.spread
             << ", \"size_seconds\": " << set.predicting.median
             << ", \"size_spread\": " << set.predicting.spread << "}";
    }
    return json.str();
}

std::string document(const std::vector<Row>& rows, const std::vector<SetCost>& sets,
                     const std::vector<std::string>& failures) {
    std::ostringstream json;
    json << "{\"benchmark\": \"prediction-cost\",\n \"machine\": " << machine_json()
         << ",\n \"mpi\": [], \"ranks\": [";
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i == 0 || rows[i].ranks != rows[i - 1].ranks) {
            json << (i == 0 ? "" : ", ") << rows[i].ranks;
        }
    }
    json << "],\n \"rows\": [";
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Row& row = rows[i];
        json << (i == 0 ? "\n" : ",\n") << "  {\"ranks\": " << row.ranks
             << ", \"placement\": " << std::quoted(row.placement)
             << ", \"median_seconds\": " << row.seconds()
             << ", \"fastest_seconds\": " << row.fastest()
             << ", \"making_seconds\": " << row.making.median
             << ", \"making_spread\": " << row.making.spread
             << ", \"size_seconds\": " << row.predicting.median
             << ", \"size_spread\": " << row.predicting.spread
             << ", \"slowest\": " << std::quoted(row.slowest)
             << ", \"slowest_seconds\": " << row.slowest_seconds << "}";
    }
    double longest = 0;
    for (const Row& row : rows) {
        if (row.ranks == ranks_with_limit) longest = std::max(longest, row.fastest());
    }
    double longest_set = 0;
    for (const SetCost& set : sets) longest_set = std::max(longest_set, set.fastest());
    json << "],\n \"sets\": [" << sets_json(sets)
         << "],\n \"summary\": {\"ranks\": " << ranks_with_limit
         << ", \"longest_seconds\": " << longest << ", \"longest_set_seconds\": " << longest_set
         << ", \"wanted_at_most\": " << limit_seconds << ", \"failures\": [";
    for (std::size_t i = 0; i < failures.size(); ++i) {
        json << (i == 0 ? "" : ", ") << std::quoted(failures[i]);
    }
    json << "]}}\n";
    return json.str();
}

std::string milliseconds(double seconds) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(2) << seconds * 1e3 << " ms";
    return text.str();
}

void print(const Row& row) {
    std::cout << std::setw(7) << row.ranks << "  " << std::left << std::setw(16) << row.placement
              << std::right << std::setw(12) << milliseconds(row.making.median) << std::setw(12)
              << milliseconds(row.predicting.median) << std::setw(12) << milliseconds(row.seconds())
              << "  " << row.slowest << " (" << milliseconds(row.slowest_seconds) << ")\n"
              << std::flush;
}

int run(const std::string& json_file, std::int32_t most_ranks) {
    std::vector<Row> rows;
    std::vector<std::string> failures;
    std::cout << "  ranks  placement             making    one size         sum  row\n";
    for (const std::int32_t ranks : {64, 1024, 16384, 100'000}) {
        if (ranks > most_ranks) break;
        for (const auto& [name, placement] : placements(ranks)) {
            rows.push_back(measure({.ranks = ranks, .placement = placement}, name));
            const Row& row = rows.back();
            print(row);
            if (ranks == ranks_with_limit && row.fastest() > limit_seconds) {
                failures.push_back(std::to_string(ranks) + " ranks, " + name + ": " +
                                   std::to_string(row.fastest()) + " s, wanted at most " +
                                   std::to_string(limit_seconds));
            }
        }
    }
    if (most_ranks < ranks_with_limit)
        return finish(json_file, document(rows, {}, failures), failures);
    std::vector<SetCost> sets;
    std::cout << "\nAll that selection tries, " << ranks_with_limit << " ranks, fastest:\n";
    for (const auto& [name, placement] : placements(ranks_with_limit)) {
        const Instance instance{.ranks = ranks_with_limit, .placement = placement};
        for (const SetCost& set : costs_of_sets(instance, name, repetitions_of_sets)) {
            std::cout << std::setw(16) << set.collective << "  " << std::left << std::setw(16)
                      << name << std::right << std::setw(4) << set.candidates << " candidates"
                      << std::setw(12) << milliseconds(set.fastest()) << "\n"
                      << std::flush;
            sets.push_back(set);
            if (set.fastest() > limit_seconds) {
                failures.push_back(set.collective + ", " + name + ": " +
                                   std::to_string(set.fastest()) + " s for all candidates");
            }
        }
    }
    return finish(json_file, document(rows, sets, failures), failures);
}

}  // namespace
}  // namespace tasuki

int main(int argc, char** argv) {
    const auto [json_file, most_ranks] =
        tasuki::parse_options(argc, argv, "bench_prediction_cost", 100'000);
    return tasuki::run(json_file, most_ranks);
}

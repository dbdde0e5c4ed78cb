// The instances that every row of algorithms.toml is tested on.
#pragma once

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "algorithms/algorithm.hpp"
#include "contract/contract.hpp"

namespace tasuki::test {

/// A schedule for people.
inline std::string text_of(const Schedule& schedule) {
    const Choice choice{find_algorithm(schedule.collective, schedule.algorithm),
                        schedule.instance.parameters};
    return std::string(schedule.collective) + " " + choice.text() + " on " +
           std::to_string(schedule.instance.ranks) + " ranks, root " +
           std::to_string(schedule.instance.root) + ", placement " +
           schedule.instance.placement.text();
}

/// One node, even blocks, blocks with a smaller last node, nodes of 1, 2, 3, ... ranks, the same
/// from large to small, round robin, no pattern, and each rank on its own node.
inline std::vector<Placement> placements(std::int32_t ranks) {
    std::vector<std::vector<std::int32_t>> irregular(5, std::vector<std::int32_t>(ranks));
    for (std::int32_t rank = 0, node = 0, on_node = 0; rank < ranks; ++rank) {
        if (on_node > node) {
            ++node;
            on_node = 0;
        }
        ++on_node;
        irregular[0][rank] = node;
        irregular[1][ranks - 1 - rank] = node;
        irregular[2][rank] = rank % 2;
        irregular[3][rank] = rank % 5;
        irregular[4][rank] = (rank * rank + rank / 3) % 7;
    }
    std::vector<Placement> list = {Placement::one_node(ranks)};
    const auto add = [&](const Placement& placement) {
        if (std::find(list.begin(), list.end(), placement) == list.end()) list.push_back(placement);
    };
    for (std::int32_t per_node : {1, 2, 3, 4, 8, (ranks + 1) / 2}) {
        add(Placement::blocks(ranks, per_node));
    }
    for (const auto& node_of_rank : irregular) add(Placement::from_nodes(node_of_rank));
    return list;
}

/// The same with the nodes in fat-trees: under one leaf, under leaves of three by stock routing,
/// fullest leaf first (docs/design/fabric.md), without any order, in three levels of switches, and
/// where senders choose.
inline std::vector<Placement> with_routes(const std::vector<Placement>& placements) {
    std::vector<Placement> list;
    for (const Placement& placement : placements) {
        std::vector<std::string> texts(6);
        for (std::int32_t node = 0; node < placement.nodes(); ++node) {
            const std::string comma = node == 0 ? "" : ",";
            const auto number = [](std::int32_t value) { return std::to_string(value); };
            texts[0] += comma + "0/" + number(node % 4);
            texts[1] += comma + number(node / 3) + "/" + number(node % 3);
            texts[2] += comma + number(node / 6) + "/" + number(node % 7);
            texts[3] += comma + number(node * node % 11 % 4) + "/" + number(node % 4);
            texts[4] += comma + number(node / 2) + "." + number(node / 4) + "/" + number(node % 2) +
                        "." + number(node / 2 % 2);
            texts[5] += (node == 0 ? "sender:" : ",") + number(node / 5) + "/" + number(node % 6);
        }
        for (const std::string& text : texts) {
            list.push_back(placement.with_routes(NodeRoutes::parse(text)));
        }
    }
    return list;
}

/// The default, the ends of the range and values where something changes, for one parameter.
inline std::vector<std::int64_t> values(const ParameterInfo& parameter, std::int32_t ranks) {
    std::vector<std::int64_t> list = {parameter.default_value, parameter.minimum,
                                      parameter.minimum + 1,   parameter.minimum + 2,
                                      std::int64_t{ranks} - 1, ranks,
                                      parameter.maximum};
    for (std::int64_t& value : list) {
        value = std::clamp(value, parameter.minimum, parameter.maximum);
    }
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
}

/// Every combination of parameter values.
inline std::vector<Parameters> combinations(const Algorithm& row, std::int32_t ranks) {
    std::vector<Parameters> list = {row.default_parameters()};
    for (const ParameterInfo& parameter : row.parameters) {
        std::vector<Parameters> more;
        for (const Parameters& known : list) {
            for (std::int64_t value : values(parameter, ranks)) {
                more.push_back(known);
                more.back().set(parameter.name, value);
            }
        }
        list = more;
    }
    return list;
}

/// Which roots are looked at: the first, the last and some ranks between, or, of up to 17 ranks,
/// all.
enum class Roots : std::uint8_t { some, all };

/// Of collectives that have a root.
inline std::vector<std::int32_t> roots(const Algorithm& row, std::int32_t ranks, Roots which) {
    if (!contract_of(row.collective)->has_root()) return {0};
    std::vector<std::int32_t> list = {0, 1, ranks / 2, ranks - 1};
    const bool has_all = which == Roots::all && ranks <= 17;
    for (std::int32_t root = 0; root < ranks && has_all; ++root) list.push_back(root);
    for (std::int32_t& root : list) root = std::min(root, ranks - 1);
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
}

/// The schedules of a row for all placements in its domain, `which` roots and all parameters, each
/// different one once: large parameters are often alike.
inline std::vector<Schedule> schedules(const Algorithm& row, std::int32_t ranks,
                                       Roots which = Roots::some) {
    std::vector<Schedule> list;
    const auto add = [&](const Instance& instance) {
        if (!row.outside_domain(instance).empty()) return;
        Schedule made = row.schedule(instance);
        const bool known = std::any_of(list.begin(), list.end(), [&](const Schedule& other) {
            return other.instance.root == instance.root && other.programs == made.programs;
        });
        if (!known) list.push_back(std::move(made));
    };
    const bool reads_routes = std::find(row.domain.begin(), row.domain.end(),
                                        Condition::known_routes) != row.domain.end();
    const std::vector<Placement> all =
        row.needs_placement ? placements(ranks) : std::vector{Placement::one_node(ranks)};
    for (const Placement& placement : reads_routes ? with_routes(all) : all) {
        for (const Parameters& parameters : combinations(row, ranks)) {
            for (std::int32_t root : roots(row, ranks, which)) {
                add({ranks, root, parameters, placement});
            }
        }
    }
    return list;
}

/// A test for each row, named after it.
class EveryRow : public testing::TestWithParam<const Algorithm*> {};

inline std::vector<const Algorithm*> rows() {
    std::vector<const Algorithm*> list;
    for (const Algorithm& row : all_algorithms()) list.push_back(&row);
    return list;
}

inline std::string row_name(const testing::TestParamInfo<const Algorithm*>& info) {
    std::string name = std::string(info.param->collective) + "_" + std::string(info.param->name);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Rows, EveryRow, testing::ValuesIn(rows()), row_name);

}  // namespace tasuki::test

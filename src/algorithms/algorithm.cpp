#include "algorithms/algorithm.hpp"

#include <bit>
#include <stdexcept>

#include "schedule/whole_number.hpp"

namespace tasuki {

namespace {

std::string names_of(std::string_view collective) {
    std::string names = "native";
    for (const Algorithm& row : all_algorithms()) {
        if (row.collective == collective) names += ", " + std::string(row.name);
    }
    return names;
}

std::string parameters_of(const Algorithm& row) {
    std::string list;
    for (const ParameterInfo& parameter : row.parameters) {
        list += (list.empty() ? "" : ", ") + std::string(parameter.name) + " (" +
                std::to_string(parameter.minimum) + " to " + std::to_string(parameter.maximum) +
                ", default " + std::to_string(parameter.default_value) + ")";
    }
    return "it has " + list + (list.empty() ? "" : ", ") + "carrier (host or memory, default host)";
}

Carrier parse_carrier(const Algorithm& row, std::string_view name) {
    if (name == "host") return Carrier::host;
    if (name == "memory") return Carrier::memory;
    throw std::invalid_argument(std::string(row.collective) + "/" + std::string(row.name) +
                                " parameter carrier cannot be \"" + std::string(name) + "\"; " +
                                parameters_of(row));
}

void parse_assignment(const Algorithm& row, std::string_view text, Parameters& parameters) {
    const auto equals = text.find('=');
    const std::string_view name = text.substr(0, equals);
    const ParameterInfo* known = nullptr;
    for (const ParameterInfo& parameter : row.parameters) {
        if (parameter.name == name) known = &parameter;
    }
    const std::string where = std::string(row.collective) + "/" + std::string(row.name);
    if (known == nullptr) {
        throw std::invalid_argument(where + " has no parameter \"" + std::string(name) + "\"; " +
                                    parameters_of(row));
    }
    const std::string_view digits =
        equals == std::string_view::npos ? std::string_view{} : text.substr(equals + 1);
    const auto value = whole_number<std::int64_t>(digits);
    if (!value || *value < known->minimum || *value > known->maximum) {
        throw std::invalid_argument(where + " parameter " + std::string(name) + " cannot be \"" +
                                    std::string(digits) + "\"; " + parameters_of(row));
    }
    parameters.set(name, *value);
}

}  // namespace

std::string_view name_of(Condition condition) {
    switch (condition) {
        case Condition::power_of_two_ranks:
            return "power-of-two-ranks";
        case Condition::few_ranks:
            return "few-ranks";
        case Condition::several_nodes:
            return "several-nodes";
        case Condition::known_routes:
            return "known-routes";
    }
    return {};
}

std::string Algorithm::outside_domain(const Instance& instance) const {
    for (Condition condition : domain) {
        switch (condition) {
            case Condition::power_of_two_ranks:
                if (!std::has_single_bit(static_cast<std::uint32_t>(instance.ranks))) {
                    return "it needs a power of two of ranks and there are " +
                           std::to_string(instance.ranks);
                }
                break;
            case Condition::few_ranks:
                if (instance.ranks > most_of_few_ranks) {
                    return "it is for up to " + std::to_string(most_of_few_ranks) +
                           " ranks and there are " + std::to_string(instance.ranks);
                }
                break;
            case Condition::several_nodes:
                if (instance.placement.nodes() < 2)
                    return "it needs several nodes and there is one";
                break;
            case Condition::known_routes:
                if (instance.placement.routes() == nullptr) {
                    return "it needs to know how the fabric leads to the nodes, and " +
                           instance.placement.why_no_routes();
                }
                break;
        }
    }
    return {};
}

bool Algorithm::is_canonical(std::int32_t ranks) const {
    return tree == ReductionTree::canonical ||
           (tree == ReductionTree::canonical_for_powers_of_two &&
            std::has_single_bit(static_cast<std::uint32_t>(ranks)));
}

Schedule Algorithm::schedule(const Instance& instance) const {
    Schedule schedule{std::string(collective), std::string(name), instance, {}};
    schedule.programs.reserve(instance.ranks);
    for (std::int32_t rank = 0; rank < instance.ranks; ++rank) {
        schedule.programs.push_back(generate(rank, instance));
    }
    return schedule;
}

Parameters Algorithm::default_parameters() const {
    Parameters values;
    for (const ParameterInfo& parameter : parameters) {
        values.set(parameter.name, parameter.default_value);
    }
    return values;
}

std::vector<Parameters> Algorithm::tried_parameters(std::int32_t ranks) const {
    std::vector<Parameters> list{default_parameters()};
    for (const ParameterInfo& parameter : parameters) {
        for (const std::int64_t tried : parameter.tried) {
            const std::int64_t value = tried == number_of_ranks ? ranks : tried;
            if (value < parameter.minimum || value > parameter.maximum) continue;
            list.push_back(default_parameters());
            list.back().set(parameter.name, value);
        }
    }
    return list;
}

const Algorithm* find_algorithm(std::string_view collective, std::string_view name) {
    for (const Algorithm& row : all_algorithms()) {
        if (row.collective == collective && row.name == name) return &row;
    }
    return nullptr;
}

std::string Choice::text() const {
    if (algorithm == nullptr) return "native";
    std::string text(algorithm->name);
    char separator = ':';
    for (const auto& [name, value] : parameters.values()) {
        text += separator + name + "=" + std::to_string(value);
        separator = ',';
    }
    if (carrier == Carrier::memory) text += separator + std::string("carrier=memory");
    return text;
}

Choice parse_choice(std::string_view collective, std::string_view text) {
    const auto colon = text.find(':');
    const std::string_view name = text.substr(0, colon);
    if (text == "native") return {};
    if (name == "native") {
        throw std::invalid_argument("native, the host MPI's own algorithm, has no parameter \"" +
                                    std::string(text.substr(colon + 1)) + '"');
    }
    const Algorithm* row = find_algorithm(collective, name);
    if (row == nullptr) {
        throw std::invalid_argument("no algorithm \"" + std::string(name) + "\" for " +
                                    std::string(collective) + "; choose one of " +
                                    names_of(collective));
    }
    Choice choice{row, row->default_parameters(), Carrier::host};
    if (colon == std::string_view::npos) return choice;
    for (std::string_view rest = text.substr(colon + 1);;) {
        const auto comma = rest.find(',');
        const std::string_view assignment = rest.substr(0, comma);
        if (assignment.starts_with("carrier=")) {
            choice.carrier = parse_carrier(*row, assignment.substr(assignment.find('=') + 1));
        } else {
            parse_assignment(*row, assignment, choice.parameters);
        }
        if (comma == std::string_view::npos) return choice;
        rest.remove_prefix(comma + 1);
    }
}

}  // namespace tasuki

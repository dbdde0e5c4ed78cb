#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "algorithms/algorithm.hpp"
#include "core.hpp"

namespace nb = nanobind;

namespace tasuki::bindings {

namespace {

nb::dict parameter_row(const ParameterInfo& parameter) {
    nb::dict row;
    row["name"] = parameter.name;
    row["default"] = parameter.default_value;
    row["minimum"] = parameter.minimum;
    row["maximum"] = parameter.maximum;
    row["sentence"] = parameter.sentence;
    nb::list tried;
    for (std::int64_t value : parameter.tried) {
        tried.append(value == number_of_ranks ? std::string("ranks") : std::to_string(value));
    }
    row["tried"] = tried;
    return row;
}

nb::dict algorithm_row(const Algorithm& algorithm) {
    nb::dict row;
    row["collective"] = algorithm.collective;
    row["name"] = algorithm.name;
    row["sentence"] = algorithm.sentence;
    row["cost"] = algorithm.cost;
    row["source"] = algorithm.source;
    nb::list domain;
    for (Condition condition : algorithm.domain) domain.append(name_of(condition));
    row["domain"] = domain;
    nb::list parameters;
    for (const ParameterInfo& parameter : algorithm.parameters) {
        parameters.append(parameter_row(parameter));
    }
    row["parameters"] = parameters;
    row["file"] = algorithm.file;
    return row;
}

nb::list algorithms() {
    nb::list rows;
    for (const Algorithm& algorithm : all_algorithms()) rows.append(algorithm_row(algorithm));
    return rows;
}

}  // namespace

void bind_algorithms(nb::module_& core) {
    core.def(
        "algorithms", &algorithms,
        "The rows of algorithms.toml, in its order, as dictionaries with its keys and `file`.");
    core.def(
        "parse_choice",
        [](std::string_view collective, std::string_view text) {
            return parse_choice(collective, text).text();
        },
        nb::arg("collective"), nb::arg("text"),
        "The complete form of NAME[:parameter=value,...]: \"bruck\" is \"bruck:radix=2\".");
}

}  // namespace tasuki::bindings

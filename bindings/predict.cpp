#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "algorithms/algorithm.hpp"
#include "arena/described_machine.hpp"
#include "core.hpp"
#include "predict/kept_parameters.hpp"
#include "predict/machine_text.hpp"
#include "predict/predictor.hpp"

namespace nb = nanobind;

namespace tasuki::bindings {

namespace {

nb::list points_of(const PiecewiseLinear& function) {
    nb::list points;
    for (const auto& [bytes, seconds] : function.points()) {
        points.append(nb::make_tuple(bytes, seconds));
    }
    return points;
}

nb::dict link_of(const LinkParameters& link) {
    nb::dict dict;
    dict["latency"] = link.latency;
    dict["send_overhead"] = points_of(link.send_overhead);
    dict["receive_overhead"] = points_of(link.receive_overhead);
    dict["gap"] = points_of(link.gap);
    return dict;
}

nb::dict machine_of(const MachineParameters& machine) {
    nb::dict dict;
    dict["fingerprint"] = machine.fingerprint;
    dict["on_node"] = link_of(machine.on_node);
    dict["off_node"] = link_of(machine.off_node);
    dict["copy"] = points_of(machine.copy);
    return dict;
}

nb::list machines() {
    nb::list list;
    for (const DescribedMachine& machine : described_machines()) {
        nb::dict dict;
        dict["name"] = machine.name;
        dict["sentence"] = machine.sentence;
        dict["ranks"] = machine.placement.ranks();
        dict["placement"] = machine.placement.text();
        dict["parameters"] = machine_text(machine.parameters);
        list.append(dict);
    }
    return list;
}

/// The rows by their defaults, or what `choices` names.
std::vector<Choice> choices_of(const std::string& collective,
                               const std::vector<std::string>& choices) {
    std::vector<Choice> list;
    for (const std::string& text : choices) {
        Choice choice = parse_choice(collective, text);
        if (choice.algorithm != nullptr) list.push_back(std::move(choice));
    }
    if (!choices.empty()) return list;
    for (const Algorithm& row : all_algorithms()) {
        if (row.collective == collective) list.push_back({&row, row.default_parameters()});
    }
    return list;
}

nb::dict predict(const std::string& collective, std::int32_t ranks, const std::string& placement,
                 const std::vector<std::int64_t>& sizes, const std::string& parameters,
                 const std::vector<std::string>& choices) {
    if (ranks < 1) throw std::invalid_argument("a prediction needs at least one rank");
    const MachineParameters machine = read_machine(parameters);
    Instance instance{ranks, 0, {}, Placement::parse(placement, ranks)};
    nb::dict lines;
    for (const Choice& choice : choices_of(collective, choices)) {
        instance.parameters = choice.parameters;
        if (!choice.algorithm->outside_domain(instance).empty()) continue;
        const Predictor predictor(*choice.algorithm, instance);
        nb::list line;
        for (const std::int64_t bytes : sizes) line.append(predictor.seconds(bytes, machine));
        lines[choice.text().c_str()] = line;
    }
    return lines;
}

nb::dict find(const std::string& fingerprint) {
    const FoundParameters found = find_parameters(read_fingerprint(fingerprint));
    nb::dict dict;
    dict["parameters"] = machine_text(found.machine);
    dict["file"] = found.file.string();
    dict["messages"] = found.messages;
    return dict;
}

}  // namespace

void bind_predict(nb::module_& core) {
    core.def("described_machines", &machines,
             "Machines that exist only as numbers, with their P-LogP parameters as text.");
    core.def(
        "read_machine", [](const std::string& text) { return machine_of(read_machine(text)); },
        nb::arg("text"), "The P-LogP parameters in a text, as dictionaries; times are seconds.");
    core.def("predict", &predict, nb::arg("collective"), nb::arg("ranks"), nb::arg("placement"),
             nb::arg("sizes"), nb::arg("parameters"),
             nb::arg("choices") = std::vector<std::string>{},
             "Seconds for each size, by algorithm, of those whose domain the instance is in: of "
             "`choices`, or of every row with the defaults of its parameters.");
    core.def(
        "fingerprint_of_run",
        [](const std::string& library_version, std::int32_t ranks, const std::string& placement) {
            return fingerprint_of_run(library_version, Placement::parse(placement, ranks)).text();
        },
        nb::arg("library_version"), nb::arg("ranks"), nb::arg("placement"),
        "What parameters measured on this node depend on.");
    core.def(
        "parameters_path",
        [](const std::string& fingerprint) {
            return parameters_path(read_fingerprint(fingerprint)).string();
        },
        nb::arg("fingerprint"), "The file that parameters measured there are kept in.");
    core.def("find_parameters", &find, nb::arg("fingerprint"),
             "The kept parameters that fit a run best, and the file; built-in ones and \"\" where "
             "none do.");
}

}  // namespace tasuki::bindings

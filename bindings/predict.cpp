#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "arena/described_machine.hpp"
#include "core.hpp"
#include "predict/machine_text.hpp"
#include "select/candidates.hpp"

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

nb::dict predict(const std::string& collective, std::int32_t ranks, const std::string& placement,
                 const std::vector<std::int64_t>& sizes, const std::string& parameters) {
    if (ranks < 1) throw std::invalid_argument("a prediction needs at least one rank");
    const MachineParameters machine = read_machine(parameters);
    const Instance instance{ranks, 0, {}, Placement::parse(placement, ranks)};
    const CandidateSet set(collective, instance);
    nb::dict lines;
    for (std::size_t i = 1; i < set.choices().size(); ++i) {
        nb::list line;
        for (const std::int64_t bytes : sizes) line.append(set.seconds(i, bytes, machine));
        lines[set.choices()[i].text().c_str()] = line;
    }
    return lines;
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
             "Seconds for each size, by algorithm, of those whose domain the instance is in.");
}

}  // namespace tasuki::bindings

#include <algorithm>
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
    nb::dict memory;
    memory["warm_bytes"] = machine.memory.warm_bytes;
    memory["shared_bytes"] = machine.memory.shared_bytes;
    dict["memory"] = memory;
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

/// The machine as ranks find it whose messages the host carries, and where memory carries them.
struct Machines {
    MachineParameters by_host;
    MachineParameters by_memory;

    /// Of what was measured the cores are known, of a machine that is only described not.
    Machines(const std::string& parameters, const Placement& placement)
        : by_host(read_machine(parameters)) {
        bool share_cores = false;
        try {
            share_cores =
                placement.most_ranks_on_a_node() > read_fingerprint(by_host.fingerprint).cores;
        } catch (const std::invalid_argument&) {
        }
        by_memory = with_memory_inside(by_host, share_cores);
    }

    const MachineParameters& of(Carrier carrier) const {
        return carrier == Carrier::memory ? by_memory : by_host;
    }
};

/// Rows of which only calls with sizes in arrays can run.
bool is_for_arrays(const Algorithm& row) {
    return row.needs_capacity && row.collective != "alltoallv";
}

/// Where it is among the candidates; behind the last if it is none of them.
std::size_t place_of(const std::string& text, const CandidateSet& set) {
    const auto found = std::ranges::find(set.choices(), text, &Choice::text);
    return static_cast<std::size_t>(found - set.choices().begin());
}

/// A choice that is no candidate of a run, because another one does the same, or because nobody
/// would try its parameters.
nb::list line_of(const Choice& choice, Instance instance, const std::vector<std::int64_t>& sizes,
                 const Machines& machines) {
    if (choice.algorithm->collective != "alltoall") {
        throw std::invalid_argument(choice.text() + " is no candidate of a run of so many ranks");
    }
    instance.parameters = choice.parameters;
    const Predictor predictor(*choice.algorithm, instance);
    nb::list line;
    for (const std::int64_t bytes : sizes) {
        line.append(predictor.seconds(bytes, machines.of(choice.carrier)));
    }
    return line;
}

nb::dict predict(const std::string& collective, std::int32_t ranks, const std::string& placement,
                 const std::vector<std::int64_t>& sizes, const std::string& parameters,
                 const std::vector<std::string>& wanted, bool with_memory) {
    if (ranks < 1) throw std::invalid_argument("a prediction needs at least one rank");
    const Instance instance{ranks, 0, {}, Placement::parse(placement, ranks)};
    const Machines machines(parameters, instance.placement);
    const CandidateSet set(collective, instance, with_memory || !wanted.empty(),
                           [](const Algorithm& row) { return !is_for_arrays(row); });
    const auto line_of_known = [&](std::size_t i) {
        nb::list line;
        for (const std::int64_t bytes : sizes) {
            line.append(set.seconds(i, bytes, machines.of(set.choices()[i].carrier)));
        }
        return line;
    };
    nb::dict lines;
    for (std::size_t i = 1; wanted.empty() && i < set.choices().size(); ++i) {
        lines[set.choices()[i].text().c_str()] = line_of_known(i);
    }
    for (const std::string& name : wanted) {
        const Choice choice = parse_choice(collective, name);
        const bool can_run =
            choice.algorithm != nullptr && choice.algorithm->outside_domain(instance).empty();
        if (!can_run) continue;
        const std::string text = choice.text();
        const std::size_t place = place_of(text, set);
        lines[text.c_str()] = place < set.choices().size()
                                  ? line_of_known(place)
                                  : line_of(choice, instance, sizes, machines);
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
             nb::arg("choices") = std::vector<std::string>{}, nb::arg("with_memory") = false,
             "Seconds for each size, by algorithm, as a run predicts its candidates: with the "
             "parameters that selection tries, each also with messages by memory, if that is "
             "asked for. `sizes`: bytes as decisions count them. Or of `choices`, those of whose "
             "domain the instance is.");
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

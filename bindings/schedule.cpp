#include "schedule/schedule.hpp"

#include <algorithm>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <stdexcept>
#include <string>
#include <vector>

#include "algorithms/algorithm.hpp"
#include "contract/contract.hpp"
#include "core.hpp"
#include "schedule/dot.hpp"
#include "schedule/same_steps.hpp"
#include "schedule/text.hpp"
#include "verify/verify.hpp"

namespace nb = nanobind;

namespace tasuki::bindings {

namespace {

/// What the caller named, ready for a generator. Throws std::invalid_argument where the choice, the
/// placement or the domain does not fit.
struct Request {
    const Algorithm* algorithm;
    Instance instance;
};

Request read_request(std::string_view collective, std::string_view text, std::int32_t ranks,
                     std::string_view placement, std::int32_t root) {
    if (ranks < 1) throw std::invalid_argument("the number of ranks must be 1 or more");
    if (root < 0 || root >= ranks) throw std::invalid_argument("the root must be one of the ranks");
    const Choice choice = parse_choice(collective, text);
    if (choice.algorithm == nullptr) {
        throw std::invalid_argument(
            "native is the host MPI's own algorithm: it has no schedule that could be read");
    }
    Instance instance{
        ranks, root, choice.parameters,
        placement.empty() ? Placement::one_node(ranks) : Placement::parse(placement, ranks)};
    const std::string why_not = choice.algorithm->outside_domain(instance);
    if (!why_not.empty()) {
        throw std::invalid_argument(std::string(collective) + "/" + choice.text() +
                                    " cannot be used here: " + why_not);
    }
    return {choice.algorithm, std::move(instance)};
}

Schedule make_schedule(std::string_view collective, std::string_view choice, std::int32_t ranks,
                       std::string_view placement, std::int32_t root) {
    const Request request = read_request(collective, choice, ranks, placement, root);
    return request.algorithm->schedule(request.instance);
}

Program make_program(std::string_view collective, std::string_view choice, std::int32_t rank,
                     std::int32_t ranks, std::string_view placement, std::int32_t root) {
    const Request request = read_request(collective, choice, ranks, placement, root);
    if (rank < 0 || rank >= ranks) {
        throw std::invalid_argument("rank " + std::to_string(rank) + " is not one of the " +
                                    std::to_string(ranks) + " ranks");
    }
    return request.algorithm->generate(rank, request.instance);
}

template <typename Value>
nb::ndarray<nb::numpy, Value, nb::ndim<1>> to_numpy(std::vector<Value> values) {
    auto* kept = new std::vector<Value>(std::move(values));
    nb::capsule owner(
        kept, [](void* vector) noexcept { delete static_cast<std::vector<Value>*>(vector); });
    return {kept->data(), {kept->size()}, owner};
}

/// One array of what `field` gives for each step.
template <typename Field>
auto column(const Program& program, Field field) {
    std::vector<decltype(field(program.steps.front()))> values;
    values.reserve(program.steps.size());
    for (const Step& step : program.steps) values.push_back(field(step));
    return to_numpy(std::move(values));
}

nb::dict columns(const Program& program) {
    nb::dict table;
    table["kind"] =
        column(program, [](const Step& s) { return static_cast<std::uint8_t>(s.kind); });
    table["from_is_left"] = column(program, [](const Step& s) {
        return static_cast<std::uint8_t>(s.from_operand == Operand::left);
    });
    table["peer"] = column(program, [](const Step& s) { return s.peer; });
    table["message"] = column(program, [](const Step& s) { return s.message; });
    const auto add_region = [&](const std::string& name, Region Step::* region) {
        table[(name + "_space").c_str()] = column(
            program, [=](const Step& s) { return static_cast<std::uint8_t>((s.*region).space); });
        const auto add = [&](const char* field, std::int32_t Region::* member) {
            table[(name + field).c_str()] =
                column(program, [=](const Step& s) { return (s.*region).*member; });
        };
        add("_first", &Region::first);
        add("_count", &Region::count);
        add("_block", &Region::block);
        add("_stride", &Region::stride);
    };
    add_region("from", &Step::from);
    add_region("to", &Step::to);
    table["after_begin"] = column(program, [](const Step& s) { return s.after_begin; });
    table["after_count"] = column(program, [](const Step& s) { return s.after_count; });
    table["after_steps"] = to_numpy(program.after_steps);
    return table;
}

nb::list texts(const Program& program) {
    nb::list lines;
    for (const Step& step : program.steps) {
        std::string line = text_of(step);
        for (std::size_t i = 0; i < step.after_count; ++i) {
            line += (i == 0 ? " after " : " ") + std::to_string(program.after(step)[i]);
        }
        lines.append(line);
    }
    return lines;
}

nb::list findings(const Schedule& schedule) {
    nb::list list;
    for (const Finding& finding : verify(schedule, *contract_of(schedule.collective)).findings) {
        nb::dict row;
        row["rank"] = finding.rank;
        row["step"] = finding.step;
        row["chunk"] = finding.chunk;
        row["message"] = finding.message;
        list.append(row);
    }
    return list;
}

}  // namespace

void bind_schedule(nb::module_& core) {
    core.attr("STEP_KINDS") = nb::make_tuple(name_of(StepKind::send), name_of(StepKind::recv),
                                             name_of(StepKind::copy), name_of(StepKind::reduce));
    core.attr("SPACES") =
        nb::make_tuple(name_of(Space::input), name_of(Space::output), name_of(Space::scratch));

    nb::class_<Program>(core, "Program", "What one rank does.")
        .def_ro("input_chunks", &Program::input_chunks)
        .def_ro("output_chunks", &Program::output_chunks)
        .def_ro("has_tails", &Program::has_tails)
        .def_ro("scratch_chunks", &Program::scratch_chunks)
        .def("__len__", [](const Program& program) { return program.steps.size(); })
        .def("columns", &columns,
             "The steps as numpy arrays by field name, one entry a step; `kind` counts in "
             "STEP_KINDS, `*_space` in SPACES; step i comes after "
             "after_steps[after_begin[i] : after_begin[i] + after_count[i]].")
        .def("texts", &texts, "One line a step, as people read it, without the step's number.");

    nb::class_<Schedule>(core, "Schedule", "The programs of all ranks.")
        .def_ro("collective", &Schedule::collective)
        .def_ro("algorithm", &Schedule::algorithm)
        .def_prop_ro("ranks", [](const Schedule& schedule) { return schedule.instance.ranks; })
        .def_prop_ro("root", [](const Schedule& schedule) { return schedule.instance.root; })
        .def_prop_ro("placement",
                     [](const Schedule& schedule) { return schedule.instance.placement.text(); })
        .def_prop_ro("parameters",
                     [](const Schedule& schedule) {
                         nb::dict parameters;
                         for (const auto& [name, value] : schedule.instance.parameters.values()) {
                             parameters[name.c_str()] = value;
                         }
                         return parameters;
                     })
        .def(
            "program",
            [](const Schedule& schedule, std::int32_t rank) -> const Program& {
                if (rank < 0 || rank >= schedule.instance.ranks) {
                    throw std::invalid_argument("there is no rank " + std::to_string(rank));
                }
                return schedule.programs[rank];
            },
            nb::arg("rank"), nb::rv_policy::reference_internal)
        .def(
            "has_same_steps",
            [](const Schedule& schedule, const Schedule& other) {
                return std::ranges::equal(schedule.programs, other.programs, have_same_steps);
            },
            nb::arg("other"),
            "Whether each rank does the same as in another schedule, in whatever order it is "
            "written: on few ranks several algorithms are one.")
        .def("text", &write_text, "The form that people read and read_text() reads back.")
        .def("dot", &write_dot, "The steps and messages as a Graphviz graph.")
        .def("verify", &findings,
             "What is wrong with it, as dictionaries with rank, step, chunk and message; an empty "
             "list is a proof that it keeps the contract of its collective.");

    core.def("schedule", &make_schedule, nb::arg("collective"), nb::arg("choice"), nb::arg("ranks"),
             nb::arg("placement") = "", nb::arg("root") = 0,
             "The schedule of NAME[:parameter=value,...]. Raises ValueError with a sentence for an "
             "unknown name, a bad parameter, a bad placement, or ranks outside the domain.");
    core.def("program", &make_program, nb::arg("collective"), nb::arg("choice"), nb::arg("rank"),
             nb::arg("ranks"), nb::arg("placement") = "", nb::arg("root") = 0,
             "The program of one rank, built as the rank builds it: the others are not.");
    core.def(
        "read_text", [](std::string_view text) { return read_text(text); }, nb::arg("text"),
        "The schedule that a text describes. Raises ValueError that names the line.");
}

}  // namespace tasuki::bindings

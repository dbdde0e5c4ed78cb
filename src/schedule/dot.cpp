#include "schedule/dot.hpp"

#include "schedule/messages.hpp"
#include "schedule/text.hpp"

namespace tasuki {

namespace {

/// A text in quotes, safe for names that hold quotes themselves.
std::string quoted(const std::string& text) {
    std::string quoted = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c;
    }
    return quoted + "\"";
}

std::string node(std::size_t rank, std::size_t step) {
    return "rank" + std::to_string(rank) + "_step" + std::to_string(step);
}

const char* colour_of(StepKind kind) {
    switch (kind) {
        case StepKind::send:
            return "#cfe2f3";
        case StepKind::recv:
            return "#d9ead3";
        case StepKind::copy:
            return "#eeeeee";
        case StepKind::reduce:
            return "#fce5cd";
    }
    return "#ffffff";
}

void write_program(const Schedule& schedule, std::size_t rank, std::string& text) {
    const Program& program = schedule.programs[rank];
    const std::string number = std::to_string(rank);
    text += "    subgraph cluster_rank" + number + " {\n        label=\"rank " + number + "\"\n";
    for (std::size_t step = 0; step < program.steps.size(); ++step) {
        const Step& here = program.steps[step];
        text += "        " + node(rank, step) +
                " [label=" + quoted(std::to_string(step) + ": " + text_of(here)) + " fillcolor=\"" +
                colour_of(here.kind) + "\"]\n";
        for (StepId earlier : program.after(here)) {
            text += "        " + node(rank, earlier) + " -> " + node(rank, step) + "\n";
        }
    }
    text += "    }\n";
}

}  // namespace

std::string write_dot(const Schedule& schedule) {
    std::string text = "digraph schedule {\n    label=" +
                       quoted(schedule.collective + "/" + schedule.algorithm + " over " +
                              std::to_string(schedule.instance.ranks) + " ranks") +
                       "\n    node [shape=box style=filled fontname=\"sans-serif\" fontsize=10]\n";
    for (std::size_t rank = 0; rank < schedule.programs.size(); ++rank) {
        write_program(schedule, rank, text);
    }
    text += "    edge [color=\"#3d6fb4\" penwidth=2 constraint=false]\n";
    const auto met = match_messages(schedule);
    for (std::size_t rank = 0; rank < schedule.programs.size(); ++rank) {
        const auto& steps = schedule.programs[rank].steps;
        for (std::size_t step = 0; step < steps.size(); ++step) {
            if (steps[step].kind != StepKind::send || met[rank][step] == no_step) continue;
            text += "    " + node(rank, step) + " -> " +
                    node(static_cast<std::size_t>(steps[step].peer), met[rank][step]) + "\n";
        }
    }
    return text + "}\n";
}

}  // namespace tasuki

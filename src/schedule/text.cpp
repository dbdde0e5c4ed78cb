#include "schedule/text.hpp"

namespace tasuki {

std::string text_of(const Region& region) {
    if (region == nothing()) return "nothing";
    const std::string space(name_of(region.space));
    if (region == chunks(region.space, region.first, region.count)) {
        return space + "[" + std::to_string(region.first) + ":" +
               std::to_string(std::int64_t{region.first} + region.count) + "]";
    }
    return space + "[first=" + std::to_string(region.first) +
           " count=" + std::to_string(region.count) + " block=" + std::to_string(region.block) +
           " stride=" + std::to_string(region.stride) + "]";
}

std::string text_of(const Step& step) {
    const std::string message =
        std::to_string(step.peer) + " message " + std::to_string(step.message) + " ";
    switch (step.kind) {
        case StepKind::send:
            return "send to " + message + text_of(step.from);
        case StepKind::recv:
            return "recv from " + message + text_of(step.to);
        case StepKind::copy:
            return "copy " + text_of(step.from) + " to " + text_of(step.to);
        case StepKind::reduce:
            return std::string("reduce ") +
                   (step.from_operand == Operand::left ? "left " : "right ") + text_of(step.from) +
                   " into " + text_of(step.to);
    }
    return "?";
}

std::string write_text(const Schedule& schedule) {
    const Instance& instance = schedule.instance;
    std::string text = "collective " + schedule.collective + "\nalgorithm " + schedule.algorithm +
                       "\nranks " + std::to_string(instance.ranks) + "\nroot " +
                       std::to_string(instance.root) + "\n";
    for (const auto& [name, value] : instance.parameters.values()) {
        text += "parameter " + name + " " + std::to_string(value) + "\n";
    }
    if (instance.placement != Placement{}) {
        text += "placement " + instance.placement.text() + "\n";
    }
    for (std::size_t rank = 0; rank < schedule.programs.size(); ++rank) {
        const Program& program = schedule.programs[rank];
        text += "\nrank " + std::to_string(rank) + ": input " +
                std::to_string(program.input_chunks) + " output " +
                std::to_string(program.output_chunks) + (program.has_tails ? " tails" : "") +
                " scratch " + std::to_string(program.scratch_chunks);
        const char* word = " sizes ";
        for (const SizeRun& run : program.scratch_sizes) {
            text += word;
            text += run.first_size == any_size
                        ? "any:" + std::to_string(run.count)
                        : std::to_string(run.first_size) + ":" +
                              std::to_string(std::int64_t{run.first_size} + run.count);
            word = " ";
        }
        text += "\n";
        for (std::size_t step = 0; step < program.steps.size(); ++step) {
            text += std::to_string(step) + ": " + text_of(program.steps[step]);
            const char* separator = " after ";
            for (StepId earlier : program.after(program.steps[step])) {
                text += separator + std::to_string(earlier);
                separator = " ";
            }
            text += "\n";
        }
    }
    return text;
}

}  // namespace tasuki

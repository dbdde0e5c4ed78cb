#include "schedule/one_round.hpp"

namespace tasuki {

std::vector<bool> steps_after_receipts(const Program& program) {
    std::vector<bool> late(program.steps.size());
    for (std::size_t id = 0; id < program.steps.size(); ++id) {
        for (const StepId earlier : program.after(program.steps[id])) {
            if (late[earlier] || program.steps[earlier].kind == StepKind::recv) late[id] = true;
        }
    }
    return late;
}

bool OneRound::add(const Program& program, const PostLayout& layout) {
    const std::vector<bool> late = steps_after_receipts(program);
    std::int64_t received = 0, receipts = 0;
    for (std::size_t id = 0; id < program.steps.size(); ++id) {
        const Step& step = program.steps[id];
        if (late[id] && step.is_message()) return false;
        if (step.kind == StepKind::send) all_sent += step.from.count;
        if (step.kind != StepKind::recv) continue;
        received += step.to.count;
        ++receipts;
    }
    most_received = std::max(most_received, received);
    most_receipts = std::max(most_receipts, receipts);
    most_posted = std::max(most_posted, layout.chunks());
    all_posted += layout.chunks();
    return true;
}

std::optional<OneRound> one_round_of(std::int32_t ranks,
                                     const std::function<Program(std::int32_t)>& generate) {
    OneRound round;
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        const Program program = generate(rank);
        if (!round.add(program, PostLayout(program))) return std::nullopt;
    }
    return round;
}

}  // namespace tasuki

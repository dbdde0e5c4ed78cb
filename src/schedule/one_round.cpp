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

namespace {

/// Whether something is sent that was made after something else had been sent, perhaps where that
/// lay: all that is posted must be there at the same time.
bool sends_what_is_made_after_a_send(const Program& program) {
    std::vector<bool> after_send(program.steps.size()), made_late(program.steps.size());
    for (std::size_t id = 0; id < program.steps.size(); ++id) {
        for (const StepId earlier : program.after(program.steps[id])) {
            const bool is_message = program.steps[earlier].is_message();
            if (after_send[earlier] || program.steps[earlier].kind == StepKind::send) {
                after_send[id] = true;
            }
            if (made_late[earlier] || (after_send[earlier] && !is_message)) made_late[id] = true;
        }
        if (program.steps[id].kind == StepKind::send && made_late[id]) return true;
    }
    return false;
}

}  // namespace

bool OneRound::add(const Program& program, const PostLayout& layout) {
    if (sends_what_is_made_after_a_send(program)) return false;
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
                                     const std::function<Program(std::int32_t)>& generate,
                                     const SeeProgram& see) {
    OneRound round;
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        const Program program = generate(rank);
        const PostLayout layout(program);
        if (!round.add(program, layout)) return std::nullopt;
        see(rank, program, layout);
    }
    return round;
}

}  // namespace tasuki

#include "execute/step_machine.hpp"

#include <utility>

#include "execute/copy_chunks.hpp"

namespace tasuki {

StepMachine::StepMachine(Program program) : program_(std::move(program)), dependents_(program_) {
    initial_pending_.reserve(program_.steps.size());
    for (const Step& step : program_.steps) {
        if (step.after_count == 0)
            first_ready_.push_back(static_cast<StepId>(initial_pending_.size()));
        initial_pending_.push_back(step.after_count);
    }
}

std::size_t StepMachine::bytes() const {
    const std::size_t steps = program_.steps.size();
    const std::size_t dependencies = program_.after_steps.size();
    return sizeof *this + steps * (sizeof(Step) + 6 * sizeof(StepId)) +
           dependencies * 2 * sizeof(StepId);
}

void StepMachine::start(const Binding& binding) {
    binding_ = &binding;
    if (!program_.after_steps.empty()) pending_ = initial_pending_;
    ready_.clear();
    incomplete_ = unstarted_ = program_.steps.size();
    for (StepId step : first_ready_) start_step(step);
    run_ready();
}

bool StepMachine::advance() {
    if (incomplete_ == 0) return true;
    completed_.clear();
    binding_->transport->collect(Patience::poll, completed_);
    for (StepId step : completed_) complete(step);
    run_ready();
    return incomplete_ == 0;
}

void StepMachine::finish() {
    while (incomplete_ != 0) {
        completed_.clear();
        if (unstarted_ == 0) {
            binding_->transport->collect_all(completed_);
        } else {
            binding_->transport->collect(Patience::wait, completed_);
        }
        for (StepId step : completed_) complete(step);
        run_ready();
    }
}

void StepMachine::run(const Binding& binding) {
    start(binding);
    finish();
}

void StepMachine::run_ready() {
    // ready_ grows while it is read: a copy completes at once and may make others ready.
    for (std::size_t next = 0; next < ready_.size(); ++next) start_step(ready_[next]);
    ready_.clear();
}

void StepMachine::start_step(StepId id) {
    const Step& step = program_.steps[id];
    --unstarted_;
    switch (step.kind) {
        case StepKind::send:
            binding_->transport->start_send(
                {step.peer, binding_->first_tag + step.message, &(*binding_)[step.from.space],
                 step.from.first, step.from.count},
                id);
            break;
        case StepKind::recv:
            binding_->transport->start_recv(
                {step.peer, binding_->first_tag + step.message, &(*binding_)[step.to.space],
                 step.to.first, step.to.count},
                id);
            break;
        case StepKind::copy:
            copy_chunks((*binding_)[step.from.space], step.from, (*binding_)[step.to.space],
                        step.to);
            complete(id);
            break;
        case StepKind::reduce:
            combine_chunks((*binding_)[step.from.space], step.from, step.from_operand,
                           (*binding_)[step.to.space], step.to, *binding_->combine);
            complete(id);
            break;
    }
}

void StepMachine::complete(StepId id) {
    --incomplete_;
    for (StepId dependent : dependents_.of(id)) {
        if (--pending_[dependent] == 0) ready_.push_back(dependent);
    }
}

}  // namespace tasuki

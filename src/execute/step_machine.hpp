// Executes programs: the one machine behind blocking and non-blocking collectives.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "execute/copy_chunks.hpp"
#include "schedule/dependents.hpp"
#include "schedule/program.hpp"
#include "transport/buffer.hpp"
#include "transport/transport.hpp"

namespace tasuki {

/// What a program is bound to for one execution.
struct Binding {
    Buffer input;
    Buffer output;
    Buffer scratch;  ///< Program::scratch_chunks chunks of contiguous bytes
    Transport* transport = nullptr;
    std::int32_t first_tag = 0;        ///< message number n travels with tag first_tag + n
    const Combine* combine = nullptr;  ///< needed by programs that reduce

    const Buffer& operator[](Space space) const {
        return space == Space::input ? input : space == Space::output ? output : scratch;
    }
};

/// Executes one program, any number of times, one execution at a time. Preparing it costs
/// O(steps); an execution allocates nothing after the first.
///
/// `Carrier` is what Binding::transport points to. A machine that is made for one kind of transport
/// calls it without a detour, which counts where a message takes 100 ns; StepMachine takes any.
///
/// Memory: up to 24 bytes a step and 4 a dependency beside the program.
template <typename Carrier>
class StepMachineOn {
  public:
    explicit StepMachineOn(Program program);

    const Program& program() const { return program_; }
    /// What the machine and its program take.
    std::size_t bytes() const;

    /// Begins an execution and starts every step that needs not wait. `binding` must stay until the
    /// execution is over.
    void start(const Binding& binding);
    void start(Binding&& binding) = delete;
    /// Does what can be done without waiting; true when the execution is over.
    bool advance();
    /// Waits until the execution is over.
    void finish();
    /// start() and finish().
    void run(const Binding& binding);

  private:
    Carrier& carrier() const { return static_cast<Carrier&>(*binding_->transport); }
    bool begin(const Step& step, StepId id);
    void run_ready();
    void start_step(StepId step);
    void complete(StepId step);

    Program program_;
    Dependents dependents_;
    std::vector<StepId> first_ready_;             // the steps that come after none
    std::vector<std::uint32_t> initial_pending_;  // [steps] how many steps each comes after

    const Binding* binding_ = nullptr;
    std::vector<std::uint32_t> pending_;
    std::vector<StepId> ready_;
    std::vector<StepId> completed_;
    std::size_t incomplete_ = 0;
    std::size_t unstarted_ = 0;
    bool is_over_ = true;
};

using StepMachine = StepMachineOn<Transport>;

template <typename Carrier>
StepMachineOn<Carrier>::StepMachineOn(Program program)
    : program_(std::move(program)), dependents_(program_) {
    initial_pending_.reserve(program_.steps.size());
    for (const Step& step : program_.steps) {
        if (step.after_count == 0) {
            first_ready_.push_back(static_cast<StepId>(initial_pending_.size()));
        }
        initial_pending_.push_back(step.after_count);
    }
}

template <typename Carrier>
std::size_t StepMachineOn<Carrier>::bytes() const {
    const std::size_t steps = program_.steps.size();
    const std::size_t dependencies = program_.after_steps.size();
    return sizeof *this + steps * (sizeof(Step) + 6 * sizeof(StepId)) +
           dependencies * 2 * sizeof(StepId);
}

template <typename Carrier>
void StepMachineOn<Carrier>::start(const Binding& binding) {
    binding_ = &binding;
    if (!program_.after_steps.empty()) pending_ = initial_pending_;
    ready_.clear();
    incomplete_ = unstarted_ = program_.steps.size();
    for (StepId step : first_ready_) start_step(step);
    run_ready();
    // An empty program needs no carrier.
    is_over_ = incomplete_ == 0 && (program_.steps.empty() || !carrier().owes_answers());
}

template <typename Carrier>
bool StepMachineOn<Carrier>::advance() {
    if (is_over_) return true;
    completed_.clear();
    carrier().collect(Patience::poll, completed_);
    for (StepId step : completed_) complete(step);
    run_ready();
    is_over_ = incomplete_ == 0 && !carrier().owes_answers();
    return is_over_;
}

template <typename Carrier>
void StepMachineOn<Carrier>::finish() {
    if (is_over_) return;
    while (unstarted_ != 0) {
        completed_.clear();
        carrier().collect(Patience::wait, completed_);
        for (StepId step : completed_) complete(step);
        run_ready();
    }
    // The last step may be a local one, and nobody may call us again for long.
    if (incomplete_ != 0 || carrier().owes_answers()) carrier().wait_for_all();
    is_over_ = true;
}

template <typename Carrier>
void StepMachineOn<Carrier>::run(const Binding& binding) {
    if (!program_.after_steps.empty()) {
        start(binding);
        finish();
        return;
    }
    // Nothing waits for anything: no step needs to be remembered.
    binding_ = &binding;
    StepId id = 0;
    for (const Step& step : program_.steps) begin(step, id++);
    carrier().wait_for_all();
}

template <typename Carrier>
void StepMachineOn<Carrier>::run_ready() {
    // ready_ grows while it is read: a copy completes at once and may make others ready.
    for (std::size_t next = 0; next < ready_.size(); ++next) start_step(ready_[next]);
    ready_.clear();
}

template <typename Carrier>
void StepMachineOn<Carrier>::start_step(StepId id) {
    --unstarted_;
    if (begin(program_.steps[id], id)) complete(id);
}

/// Whether the step is complete at once. Messages first, and no switch: an indirect jump is what
/// processors guess worst after a system call.
template <typename Carrier>
bool StepMachineOn<Carrier>::begin(const Step& step, StepId id) {
    const Binding& binding = *binding_;
    if (step.kind == StepKind::recv) {
        const Buffer& to = binding[step.to.space];
        if (to.leaves_out(step.to.first, step.to.count)) return true;
        carrier().start_recv(
            {step.peer, binding.first_tag + step.message, &to, step.to.first, step.to.count}, id);
        return false;
    }
    if (step.kind == StepKind::send) {
        const Buffer& from = binding[step.from.space];
        if (from.leaves_out(step.from.first, step.from.count)) return true;
        carrier().start_send(
            {step.peer, binding.first_tag + step.message, &from, step.from.first, step.from.count},
            id);
        return false;
    }
    if (step.kind == StepKind::copy) {
        copy_chunks(binding[step.from.space], step.from, binding[step.to.space], step.to);
    } else {
        combine_chunks(binding[step.from.space], step.from, step.from_operand,
                       binding[step.to.space], step.to, *binding.combine);
    }
    return true;
}

template <typename Carrier>
void StepMachineOn<Carrier>::complete(StepId id) {
    --incomplete_;
    for (StepId dependent : dependents_.of(id)) {
        if (--pending_[dependent] == 0) ready_.push_back(dependent);
    }
}

extern template class StepMachineOn<Transport>;

}  // namespace tasuki

// Executes programs: the one machine behind blocking and non-blocking collectives.
#pragma once

#include <cstdint>
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
/// Memory: up to 24 bytes a step and 4 a dependency beside the program.
class StepMachine {
  public:
    explicit StepMachine(Program program);

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
};

}  // namespace tasuki

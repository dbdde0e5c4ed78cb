// How generators write programs.
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include "schedule/program.hpp"

namespace tasuki {

/// The steps that a new step must come after; `{}` is none.
class After {
  public:
    After() = default;
    After(std::initializer_list<StepId> steps) : steps_(steps.begin(), steps.size()) {}
    After(std::span<const StepId> steps) : steps_(steps) {}
    After(const std::vector<StepId>& steps) : steps_(steps) {}

    std::span<const StepId> steps() const { return steps_; }

  private:
    std::span<const StepId> steps_;
};

/// Appends steps and checks what can be checked of one program alone: regions inside their
/// buffers, nothing written to the input, contiguous messages, copies of equal size, no step after
/// a later one. Throws std::invalid_argument with the step's number.
///
/// Cost: constant per step, plus what `after` names.
class ProgramBuilder {
  public:
    ProgramBuilder(std::int32_t input_chunks, std::int32_t output_chunks);

    /// Makes the chunks heads and tails; see Program::has_tails.
    void split_blocks() { program_.has_tails = true; }

    /// Makes room for so many steps and dependencies. A generator of a long program says it,
    /// because growing bit by bit costs more than everything else.
    void expect(std::size_t steps, std::size_t dependencies);

    /// Makes room for `count` more scratch chunks and returns the first. They have the sizes
    /// first_size, first_size + 1, ...; with any_size each holds whatever chunk there is.
    std::int32_t reserve_scratch(std::int64_t count, std::int32_t first_size = any_size);

    StepId send(std::int32_t peer, const Region& from, After after = {});
    StepId recv(std::int32_t peer, const Region& to, After after = {});
    StepId copy(const Region& from, const Region& to, After after = {});
    /// to = from op to (`from` is the left operand) or to = to op from (the right one).
    StepId reduce(const Region& from, Operand from_operand, const Region& to, After after = {});

    /// Steps that come after all of `steps`: these themselves, or, where they are more than a few,
    /// one that does nothing, so that as many steps after them again do not depend on each of them.
    std::vector<StepId> gathered(std::vector<StepId> steps);

    /// Hands out the program; the builder is empty afterwards.
    Program finish();

  private:
    /// The number of the step that comes next.
    StepId next() const { return static_cast<StepId>(program_.steps.size()); }
    StepId message(StepKind kind, std::int32_t peer, const Region& from, const Region& to,
                   After after);
    StepId append(StepKind kind, const Region& from, const Region& to, After after);
    void check_region(const Region& region) const;

    Program program_;
    std::int32_t numbered_ = 0;  // scratch chunks that scratch_sizes speaks of
};

}  // namespace tasuki

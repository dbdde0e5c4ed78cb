// Steps in stages, one after another.
#pragma once

#include <vector>

#include "schedule/builder.hpp"

namespace tasuki {

/// Appends steps to a program in stages: the steps of a stage start together, when those of the
/// stage before are complete.
class Stages {
  public:
    explicit Stages(ProgramBuilder& program) : program_(program) {}

    void send(std::int32_t peer, Region from) {
        current_.push_back(program_.send(peer, from, previous_));
    }
    void recv(std::int32_t peer, Region to) {
        current_.push_back(program_.recv(peer, to, previous_));
    }

    /// Ends the stage; a stage without steps is none.
    void next() {
        if (current_.empty()) return;
        previous_.swap(current_);
        current_.clear();
    }

  private:
    ProgramBuilder& program_;
    std::vector<StepId> previous_;
    std::vector<StepId> current_;
};

}  // namespace tasuki

#include "predict/symmetry.hpp"

#include <algorithm>
#include <vector>

namespace tasuki {

namespace {

/// The messages of a program, one after the other.
class Messages {
  public:
    explicit Messages(const Program& program) : program_(program) {}

    /// The next message of this kind; nullptr after the last.
    const Step* next(StepKind kind) {
        const Step* step = next();
        while (step != nullptr && step->kind != kind) step = next();
        return step;
    }
    const Step* next() {
        while (next_ < program_.steps.size()) {
            const Step& step = program_.steps[next_++];
            if (step.is_message()) return &step;
        }
        return nullptr;
    }

  private:
    const Program& program_;
    std::size_t next_ = 0;
};

std::int32_t size_of(const Step& step) {
    return step.kind == StepKind::send ? step.from.count : step.to.count;
}

/// Whether the n-th send is as large as the n-th receive, for all n.
bool sends_what_it_receives(const Program& program) {
    Messages sends(program);
    Messages receives(program);
    for (;;) {
        const Step* send = sends.next(StepKind::send);
        const Step* receive = receives.next(StepKind::recv);
        if (send == nullptr || receive == nullptr) return send == receive;
        if (size_of(*send) != size_of(*receive)) return false;
    }
}

/// Whether the program of `rank` is that of its representative.
bool is_image(const Symmetry& symmetry, const Program& representative, const Program& program,
              std::int32_t rank) {
    Messages expected(representative);
    Messages found(program);
    for (;;) {
        const Step* step = expected.next();
        const Step* other = found.next();
        if (step == nullptr || other == nullptr) return step == other;
        if (step->kind != other->kind || size_of(*step) != size_of(*other)) return false;
        if (symmetry.kind == Symmetry::Kind::shift &&
            (step->message != other->message ||
             symmetry.as_seen(rank, other->peer) != step->peer)) {
            return false;
        }
    }
}

}  // namespace

std::int32_t Symmetry::as_seen(std::int32_t rank, std::int32_t other) const {
    const std::int32_t seen = other - (rank - rank % representatives);
    return seen < 0 ? seen + ranks : seen;
}

bool has_symmetry(const Symmetry& symmetry, const ProgramOf& program_of) {
    if (symmetry.ranks % symmetry.representatives != 0) return false;
    if (symmetry.kind == Symmetry::Kind::lockstep && !sends_what_it_receives(program_of(0))) {
        return false;
    }
    const std::int32_t next = symmetry.representatives;
    const std::int32_t last = symmetry.ranks - 1;
    return std::ranges::all_of(
        std::vector<std::int32_t>{next, symmetry.ranks / 2, last}, [&](std::int32_t rank) {
            return rank > last || is_image(symmetry, program_of(symmetry.representative(rank)),
                                           program_of(rank), rank);
        });
}

}  // namespace tasuki

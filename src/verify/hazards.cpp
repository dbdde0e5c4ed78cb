#include <algorithm>
#include <cstdint>
#include <utility>

#include "schedule/messages.hpp"
#include "verify/describe.hpp"
#include "verify/structure.hpp"

namespace tasuki {

namespace {

/// Two steps that touch the same chunk and so must be ordered.
struct Conflict {
    StepId earlier;
    StepId later;
    Space space;
    std::int32_t chunk;
};

/// The conflicts of one program that its order has to settle. Conflicts that follow from others
/// are left out: whoever comes after the last writer comes after all before it.
class Conflicts {
  public:
    explicit Conflicts(const Program& program)
        : program_(program), touched_(std::size_t(program.output_chunks) + program.scratch_chunks) {
        for (StepId step = 0; step < program.steps.size(); ++step) {
            // That a reduce also reads `to` asks for no more order than that it writes there.
            visit(program.steps[step].from, [&](Touched& chunk, Space space, std::int32_t number) {
                read(chunk, step, space, number);
            });
            visit(program.steps[step].to, [&](Touched& chunk, Space space, std::int32_t number) {
                write(chunk, step, space, number);
            });
        }
    }

    /// In ascending order of the earlier step, without those that `after` settles directly.
    std::vector<Conflict> sorted() && {
        std::sort(found_.begin(), found_.end(), [](const Conflict& a, const Conflict& b) {
            return std::pair(a.earlier, a.later) < std::pair(b.earlier, b.later);
        });
        return std::move(found_);
    }

  private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    struct Touched {
        StepId writer = no_step;
        std::uint32_t reads = none;  // first of the reads since then, in reads_
    };
    struct Read {
        StepId step;
        std::uint32_t next;
    };

    template <typename Visit>
    void visit(const Region& region, Visit visit) {
        if (region.space == Space::input) return;
        const std::size_t before = region.space == Space::scratch ? program_.output_chunks : 0;
        for (std::int32_t position = 0; position < region.count; ++position) {
            const std::int32_t chunk = region.chunk(position);
            visit(touched_[before + chunk], region.space, chunk);
        }
    }

    void read(Touched& chunk, StepId step, Space space, std::int32_t number) {
        if (chunk.writer != no_step) demand({chunk.writer, step, space, number});
        reads_.push_back({step, chunk.reads});
        chunk.reads = static_cast<std::uint32_t>(reads_.size() - 1);
    }

    void write(Touched& chunk, StepId step, Space space, std::int32_t number) {
        if (chunk.reads == none && chunk.writer != no_step) {
            demand({chunk.writer, step, space, number});
        }
        for (std::uint32_t i = chunk.reads; i != none; i = reads_[i].next) {
            demand({reads_[i].step, step, space, number});
        }
        chunk = {step, none};
    }

    void demand(const Conflict& conflict) {
        // Neighbouring chunks mostly have the same history.
        if (!found_.empty() && found_.back().earlier == conflict.earlier &&
            found_.back().later == conflict.later) {
            return;
        }
        if (settled_ == std::pair(conflict.earlier, conflict.later)) return;
        const auto after = program_.after(program_.steps[conflict.later]);
        if (std::find(after.begin(), after.end(), conflict.earlier) != after.end()) {
            settled_ = {conflict.earlier, conflict.later};
        } else {
            found_.push_back(conflict);
        }
    }

    const Program& program_;
    std::vector<Touched> touched_;  // output chunks, then scratch chunks
    std::vector<Read> reads_;
    std::vector<Conflict> found_;
    std::pair<StepId, StepId> settled_{no_step, no_step};  // the last that was
};

/// For each step which of the 64 steps from `first` on it comes after, one bit each.
void reach_from(const Program& program, StepId first, std::vector<std::uint64_t>& reached) {
    std::fill(reached.begin(), reached.end(), 0);
    for (StepId step = first; step < program.steps.size(); ++step) {
        std::uint64_t bits = 0;
        for (StepId earlier : program.after(program.steps[step])) {
            bits |= reached[earlier];
            if (earlier >= first && earlier - first < 64)
                bits |= std::uint64_t{1} << (earlier - first);
        }
        reached[step] = bits;
    }
}

std::string message_of(const Schedule& schedule, std::int32_t rank, const Conflict& conflict) {
    const std::string chunk = describe(conflict.space, conflict.chunk);
    if (conflict.earlier == conflict.later) {
        return describe(schedule, rank, conflict.later) + " touches " + chunk +
               " twice, and writes it";
    }
    const Step& later = schedule.programs[rank].steps[conflict.later];
    const Region& to = later.to;
    bool writes = false;
    for (std::int32_t position = 0; position < to.count && !writes; ++position) {
        writes = to.space == conflict.space && to.chunk(position) == conflict.chunk;
    }
    return describe(schedule, rank, conflict.later) + (writes ? " writes " : " reads ") + chunk +
           " but need not come after " + describe(schedule, rank, conflict.earlier) +
           ", which touches it too";
}

}  // namespace

std::vector<Finding> find_hazards(const Schedule& schedule) {
    std::vector<Finding> findings;
    std::vector<std::uint64_t> reached;
    for (std::size_t number = 0; number < schedule.programs.size(); ++number) {
        const Program& program = schedule.programs[number];
        const auto rank = static_cast<std::int32_t>(number);
        reached.resize(program.steps.size());
        StepId first = no_step;
        std::pair<StepId, StepId> told{no_step, no_step};
        for (const Conflict& conflict : Conflicts(program).sorted()) {
            if (conflict.earlier / 64 != first / 64 || first == no_step) {
                first = conflict.earlier / 64 * 64;
                reach_from(program, first, reached);
            }
            const std::pair pair(conflict.earlier, conflict.later);
            const bool ordered = (reached[conflict.later] >> (conflict.earlier - first)) & 1;
            if (ordered || pair == told) continue;
            told = pair;
            findings.push_back(
                {rank, conflict.later, conflict.chunk, message_of(schedule, rank, conflict)});
        }
    }
    return findings;
}

}  // namespace tasuki

#include "schedule/builder.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace tasuki {

namespace {

[[noreturn]] void refuse(StepId step, const std::string& why) {
    throw std::invalid_argument("step " + std::to_string(step) + ": " + why);
}

/// Counts the messages per (peer, direction). Open addressing, because a ring over 100,000 ranks
/// has as many peers and std::unordered_map would cost more than the rest of the program.
class MessageCounter {
  public:
    explicit MessageCounter(std::size_t messages)
        : slots_(std::bit_ceil(std::max<std::size_t>(8, 2 * messages))) {}

    std::int32_t next(std::int32_t peer, StepKind kind) {
        const std::uint64_t key =
            1 + 2 * static_cast<std::uint64_t>(peer) + (kind == StepKind::send ? 1 : 0);
        const std::size_t mask = slots_.size() - 1;
        std::size_t place = (key * 0x9E3779B97F4A7C15ULL >> 20) & mask;
        while (slots_[place].key != 0 && slots_[place].key != key) place = (place + 1) & mask;
        slots_[place].key = key;
        return slots_[place].count++;
    }

  private:
    struct Slot {
        std::uint64_t key = 0;  // 0: free
        std::int32_t count = 0;
    };
    std::vector<Slot> slots_;
};

}  // namespace

ProgramBuilder::ProgramBuilder(std::int32_t input_chunks, std::int32_t output_chunks) {
    program_.input_chunks = input_chunks;
    program_.output_chunks = output_chunks;
}

void ProgramBuilder::expect(std::size_t steps, std::size_t dependencies) {
    program_.steps.reserve(steps);
    program_.after_steps.reserve(dependencies);
}

std::int32_t ProgramBuilder::reserve_scratch(std::int64_t count, std::int32_t first_size) {
    const std::int32_t first = program_.scratch_chunks;
    if (count < 0 || first > std::numeric_limits<std::int32_t>::max() - count) {
        throw std::invalid_argument("a program cannot have " + std::to_string(count) +
                                    " more scratch chunks after " + std::to_string(first));
    }
    if (first_size < any_size || first_size > std::numeric_limits<std::int32_t>::max() - count) {
        throw std::invalid_argument("scratch chunks cannot have the sizes from " +
                                    std::to_string(first_size) + " on");
    }
    const auto added = static_cast<std::int32_t>(count);
    program_.scratch_chunks += added;
    if (first_size != any_size && added > 0) {
        if (numbered_ < first) program_.scratch_sizes.push_back({first - numbered_, any_size});
        numbered_ = program_.scratch_chunks;
        std::vector<SizeRun>& runs = program_.scratch_sizes;
        if (!runs.empty() && runs.back().first_size != any_size &&
            runs.back().first_size + runs.back().count == first_size) {
            runs.back().count += added;
        } else {
            runs.push_back({added, first_size});
        }
    }
    return first;
}

StepId ProgramBuilder::send(std::int32_t peer, const Region& from, After after) {
    return message(StepKind::send, peer, from, nothing(), after);
}

StepId ProgramBuilder::recv(std::int32_t peer, const Region& to, After after) {
    return message(StepKind::recv, peer, nothing(), to, after);
}

StepId ProgramBuilder::copy(const Region& from, const Region& to, After after) {
    return append(StepKind::copy, from, to, after);
}

std::vector<StepId> ProgramBuilder::gathered(std::vector<StepId> steps) {
    constexpr std::size_t few = 4;
    if (steps.size() <= few) return steps;
    return {copy(nothing(), nothing(), steps)};
}

StepId ProgramBuilder::reduce(const Region& from, Operand from_operand, const Region& to,
                              After after) {
    const StepId id = append(StepKind::reduce, from, to, after);
    program_.steps[id].from_operand = from_operand;
    return id;
}

StepId ProgramBuilder::message(StepKind kind, std::int32_t peer, const Region& from,
                               const Region& to, After after) {
    if (peer < 0) refuse(next(), "rank " + std::to_string(peer) + " cannot be a peer");
    if (!from.is_contiguous() || !to.is_contiguous()) {
        refuse(next(), "a message is one contiguous run of chunks; pack it with a copy");
    }
    const StepId id = append(kind, from, to, after);
    program_.steps[id].peer = peer;
    return id;
}

StepId ProgramBuilder::append(StepKind kind, const Region& from, const Region& to, After after) {
    const StepId id = next();
    check_region(from);
    check_region(to);
    const bool is_message = kind == StepKind::send || kind == StepKind::recv;
    if (!is_message && from.count != to.count) {
        refuse(id, "from has " + std::to_string(from.count) + " chunks and to has " +
                       std::to_string(to.count));
    }
    if (to.space == Space::input && !to.empty()) refuse(id, "the input is never written");
    for (StepId earlier : after.steps()) {
        if (earlier >= id) refuse(id, "must come after step " + std::to_string(earlier));
    }
    // Made in its place: a step that is made elsewhere and moved costs twice as much.
    Step& step = program_.steps.emplace_back();
    step.kind = kind;
    step.from = from;
    step.to = to;
    step.after_begin = static_cast<std::uint32_t>(program_.after_steps.size());
    step.after_count = static_cast<std::uint32_t>(after.steps().size());
    if (step.after_count > 0) {
        program_.after_steps.insert(program_.after_steps.end(), after.steps().begin(),
                                    after.steps().end());
    }
    return id;
}

void ProgramBuilder::check_region(const Region& region) const {
    if (region.empty()) return;
    const StepId id = next();
    const std::int64_t size = region.space == Space::input    ? program_.input_chunks
                              : region.space == Space::output ? program_.output_chunks
                                                              : program_.scratch_chunks;
    if (region.count < 0 || region.block < 1) refuse(id, "a region needs a positive size");
    const auto [low, high] = extent_of(region);
    if (low < 0 || high >= size) {
        refuse(id, "chunks " + std::to_string(low) + " to " + std::to_string(high) + " of the " +
                       std::string(name_of(region.space)) + ", which has " + std::to_string(size));
    }
}

Program ProgramBuilder::finish() {
    std::size_t messages = 0;
    for (const Step& step : program_.steps) messages += step.is_message() ? 1 : 0;
    MessageCounter counter(messages);
    for (Step& step : program_.steps) {
        if (step.is_message()) step.message = counter.next(step.peer, step.kind);
    }
    numbered_ = 0;
    return std::exchange(program_, Program{});
}

}  // namespace tasuki

#include "verify/describe.hpp"
#include "verify/structure.hpp"

namespace tasuki {

namespace {

std::int64_t size_of(const Program& program, Space space) {
    switch (space) {
        case Space::input:
            return program.input_chunks;
        case Space::output:
            return program.output_chunks;
        case Space::scratch:
            return program.scratch_chunks;
    }
    return 0;
}

/// Empty, or what is wrong with a region; `chunk` becomes the chunk that it is about.
std::string trouble_of(const Program& program, const Region& region,
                       std::optional<std::int32_t>& chunk) {
    if (region.empty()) return {};
    chunk = region.first;
    if (region.count < 0 || region.block < 1) return " has a region without a positive size";
    const auto [low, high] = extent_of(region);
    const std::int64_t size = size_of(program, region.space);
    if (low >= 0 && high < size) return {};
    const std::int64_t outside = low < 0 ? low : high;
    chunk = static_cast<std::int32_t>(outside);
    return " names " + describe(region.space, outside) + ", there are " + std::to_string(size);
}

std::string trouble_of(const Schedule& schedule, const Program& program, StepId id,
                       std::optional<std::int32_t>& chunk) {
    const Step& step = program.steps[id];
    for (StepId earlier : program.after(step)) {
        if (earlier >= id) return " must come after step " + std::to_string(earlier);
    }
    if (std::string text = trouble_of(program, step.from, chunk); !text.empty()) return text;
    if (std::string text = trouble_of(program, step.to, chunk); !text.empty()) return text;
    chunk = step.to.first;
    if (step.to.space == Space::input && !step.to.empty()) {
        return " writes " + describe(Space::input, step.to.first) + ", and the input is read only";
    }
    chunk.reset();
    if (step.is_message()) {
        const auto ranks = static_cast<std::int64_t>(schedule.programs.size());
        if (step.peer < 0 || step.peer >= ranks) {
            return " names a rank that does not exist, there are " + std::to_string(ranks);
        }
        const Region& region = step.kind == StepKind::send ? step.from : step.to;
        chunk = region.first;
        if (!region.is_contiguous())
            return " is a message whose chunks, from " + describe(region.space, region.first) +
                   " on, are not contiguous";
    } else if (step.from.count != step.to.count) {
        chunk = step.from.first;
        return " reads " + std::to_string(step.from.count) + " chunks from " +
               describe(step.from.space, step.from.first) + " and writes " +
               std::to_string(step.to.count);
    }
    return {};
}

}  // namespace

std::vector<Finding> find_malformed(const Schedule& schedule, const Contract& contract) {
    std::vector<Finding> findings;
    const auto ranks = static_cast<std::int32_t>(schedule.programs.size());
    if (ranks != schedule.instance.ranks) {
        findings.push_back({ranks,
                            {},
                            {},
                            "the schedule has the programs of " + std::to_string(ranks) +
                                " ranks, and there are " +
                                std::to_string(schedule.instance.ranks)});
    }
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        const Program& program = schedule.programs[rank];
        const std::string shape = contract.check_shape(program, rank, schedule.instance);
        if (!shape.empty()) {
            findings.push_back({rank,
                                {},
                                {},
                                "rank " + std::to_string(rank) + " has " +
                                    std::to_string(program.input_chunks) + " input and " +
                                    std::to_string(program.output_chunks) + " output chunks; " +
                                    shape});
        }
        if (program.has_tails && !contract.may_have_tails()) {
            findings.push_back({rank,
                                {},
                                {},
                                "rank " + std::to_string(rank) +
                                    " has tails, and blocks of this collective have none"});
        }
        const std::int32_t cuts = contract.cuts(program, rank, schedule.instance);
        const std::int32_t first_cuts = contract.cuts(schedule.programs[0], 0, schedule.instance);
        if (shape.empty() && cuts != first_cuts) {
            findings.push_back({rank,
                                {},
                                {},
                                "rank " + std::to_string(rank) + " cuts its data into " +
                                    std::to_string(cuts) + " chunks, and rank 0 into " +
                                    std::to_string(first_cuts)});
        }
        for (StepId step = 0; step < program.steps.size(); ++step) {
            std::optional<std::int32_t> chunk;
            const std::string trouble = trouble_of(schedule, program, step, chunk);
            if (trouble.empty()) continue;
            findings.push_back({rank, step, chunk, describe(schedule, rank, step) + trouble});
        }
    }
    return findings;
}

}  // namespace tasuki

#include <string>
#include <vector>

#include "schedule/messages.hpp"
#include "verify/describe.hpp"
#include "verify/structure.hpp"

namespace tasuki {

namespace {

/// The sizes of all chunks of one rank.
class Sizes {
  public:
    Sizes(const Schedule& schedule, const Contract& contract, std::int32_t rank)
        : rank_(rank),
          instance_(schedule.instance),
          contract_(contract),
          scratch_(schedule.programs[rank].scratch_size_numbers()) {}

    std::int64_t of(const Region& region, std::int32_t position) const {
        const std::int32_t chunk = region.chunk(position);
        if (region.space == Space::scratch) return scratch_[chunk];
        return contract_.size_of(region.space, rank_, chunk, instance_);
    }

  private:
    std::int32_t rank_;
    const Instance& instance_;
    const Contract& contract_;
    std::vector<std::int32_t> scratch_;
};

std::string text_of(std::int64_t size) {
    return size == any_size ? "any size" : "size " + std::to_string(size);
}

}  // namespace

std::vector<Finding> find_unequal(const Schedule& schedule, const Contract& contract) {
    std::vector<Finding> findings;
    std::vector<Sizes> sizes;
    const auto ranks = static_cast<std::int32_t>(schedule.programs.size());
    for (std::int32_t rank = 0; rank < ranks; ++rank) sizes.emplace_back(schedule, contract, rank);
    const auto met = match_messages(schedule);
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        const std::vector<Step>& steps = schedule.programs[rank].steps;
        for (StepId id = 0; id < steps.size(); ++id) {
            const Step& step = steps[id];
            if (step.kind == StepKind::recv) continue;  // looked at where it is sent
            const bool sends = step.kind == StepKind::send;
            const Sizes& there = sizes[sends ? step.peer : rank];
            const Region& to =
                sends ? schedule.programs[step.peer].steps[met[rank][id]].to : step.to;
            for (std::int32_t position = 0; position < step.from.count; ++position) {
                const std::int64_t read = sizes[rank].of(step.from, position);
                const std::int64_t written = there.of(to, position);
                const bool has_any = read == any_size || written == any_size;
                if (read == written || (has_any && step.kind == StepKind::copy)) continue;
                findings.push_back({rank, id, step.from.chunk(position),
                                    describe(schedule, rank, id) + " brings " +
                                        describe(step.from.space, step.from.chunk(position)) +
                                        " of " + text_of(read) + " to " +
                                        describe(to.space, to.chunk(position)) + " of " +
                                        text_of(written)});
                break;
            }
        }
    }
    return findings;
}

}  // namespace tasuki

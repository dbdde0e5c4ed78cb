#include "schedule/messages.hpp"
#include "verify/describe.hpp"
#include "verify/structure.hpp"

namespace tasuki {

std::vector<Finding> find_unmatched(const Schedule& schedule) {
    std::vector<Finding> findings;
    const auto met = match_messages(schedule);
    const auto ranks = static_cast<std::int32_t>(schedule.programs.size());
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        const auto& steps = schedule.programs[rank].steps;
        for (StepId id = 0; id < steps.size(); ++id) {
            const Step& step = steps[id];
            if (!step.is_message()) continue;
            const bool sends = step.kind == StepKind::send;
            const Region& region = sends ? step.from : step.to;
            const std::string message = describe(schedule, rank, id) + " of " +
                                        std::to_string(region.count) + " chunks from " +
                                        describe(region.space, region.first) + " on";
            const auto chunk = region.empty() ? std::nullopt : std::optional(region.first);
            if (met[rank][id] == no_step) {
                findings.push_back({rank, id, chunk,
                                    message + " meets no " + (sends ? "recv" : "send") +
                                        " of rank " + std::to_string(step.peer)});
            } else if (sends) {
                const Step& recv = schedule.programs[step.peer].steps[met[rank][id]];
                if (recv.to.count == region.count) continue;
                findings.push_back({rank, id, chunk,
                                    message + " meets " +
                                        describe(schedule, step.peer, met[rank][id]) + " of " +
                                        std::to_string(recv.to.count) + " chunks"});
            }
        }
    }
    return findings;
}

}  // namespace tasuki

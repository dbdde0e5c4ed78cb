#include "schedule/messages.hpp"

#include <algorithm>
#include <tuple>

namespace tasuki {

namespace {

struct MessageEnd {
    std::int32_t sender;
    std::int32_t receiver;
    std::int32_t message;
    StepId step;

    auto key() const { return std::tie(sender, receiver, message); }
    auto operator<=>(const MessageEnd&) const = default;
};

/// All sends, or all receives, in ascending order.
std::vector<MessageEnd> ends_of(const Schedule& schedule, StepKind kind) {
    std::vector<MessageEnd> ends;
    for (std::size_t rank = 0; rank < schedule.programs.size(); ++rank) {
        const auto& steps = schedule.programs[rank].steps;
        for (std::size_t step = 0; step < steps.size(); ++step) {
            if (steps[step].kind != kind) continue;
            const auto here = static_cast<std::int32_t>(rank);
            const std::int32_t peer = steps[step].peer;
            const bool sends = kind == StepKind::send;
            ends.push_back({sends ? here : peer, sends ? peer : here, steps[step].message,
                            static_cast<StepId>(step)});
        }
    }
    std::sort(ends.begin(), ends.end());
    return ends;
}

}  // namespace

std::vector<std::vector<StepId>> match_messages(const Schedule& schedule) {
    std::vector<std::vector<StepId>> met;
    met.reserve(schedule.programs.size());
    for (const Program& program : schedule.programs) {
        met.emplace_back(program.steps.size(), no_step);
    }
    const auto sends = ends_of(schedule, StepKind::send);
    const auto receives = ends_of(schedule, StepKind::recv);
    for (auto send = sends.begin(), recv = receives.begin();
         send != sends.end() && recv != receives.end();) {
        if (send->key() < recv->key()) {
            ++send;
        } else if (recv->key() < send->key()) {
            ++recv;
        } else {
            met[send->sender][send->step] = recv->step;
            met[recv->receiver][recv->step] = send->step;
            ++send;
            ++recv;
        }
    }
    return met;
}

}  // namespace tasuki

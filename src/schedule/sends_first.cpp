#include "schedule/sends_first.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace tasuki {

Program with_sends_first(const Program& program) {
    std::vector<StepId> order(program.steps.size());  // [new place]
    std::iota(order.begin(), order.end(), StepId{0});
    std::ranges::stable_partition(order, [&](StepId id) {
        const Step& step = program.steps[id];
        return step.kind == StepKind::send && step.after_count == 0;
    });
    std::vector<StepId> places(order.size());  // [old place]
    Program result = program;
    for (StepId place = 0; place < order.size(); ++place) {
        places[order[place]] = place;
        result.steps[place] = program.steps[order[place]];
    }
    for (StepId& earlier : result.after_steps) earlier = places[earlier];
    return result;
}

}  // namespace tasuki

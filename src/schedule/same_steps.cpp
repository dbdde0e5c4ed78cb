#include "schedule/same_steps.hpp"

#include <algorithm>
#include <vector>

namespace tasuki {

namespace {

bool do_the_same(Step a, Step b) {
    a.after_begin = b.after_begin = 0;
    a.after_count = b.after_count = 0;
    return a == b;
}

bool uses_scratch(const Program& program) {
    return std::ranges::any_of(program.steps, [](const Step& step) {
        return step.from.space == Space::scratch || step.to.space == Space::scratch;
    });
}

}  // namespace

bool have_same_steps(const Program& a, const Program& b) {
    const bool is_possible = a.steps.size() == b.steps.size() && a.input_chunks == b.input_chunks &&
                             a.output_chunks == b.output_chunks && a.has_tails == b.has_tails;
    if (!is_possible) return false;
    std::vector<StepId> in_b;  // of the steps of a so far
    std::vector<bool> taken(b.steps.size());
    const auto is_after_the_same = [&](const Step& of_a, const Step& of_b) {
        const auto after = b.after(of_b);
        return of_a.after_count == of_b.after_count &&
               std::ranges::all_of(a.after(of_a), [&](StepId earlier) {
                   return std::ranges::find(after, in_b[earlier]) != after.end();
               });
    };
    StepId first_left = 0;
    for (const Step& step : a.steps) {
        while (first_left < b.steps.size() && taken[first_left]) ++first_left;
        StepId id = first_left;
        while (id < b.steps.size() && (taken[id] || !do_the_same(step, b.steps[id]) ||
                                       !is_after_the_same(step, b.steps[id]))) {
            ++id;
        }
        if (id == b.steps.size()) return false;
        taken[id] = true;
        in_b.push_back(id);
    }
    return a.scratch_sizes == b.scratch_sizes || !uses_scratch(a);
}

}  // namespace tasuki

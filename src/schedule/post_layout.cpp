#include "schedule/post_layout.hpp"

#include <algorithm>
#include <tuple>

namespace tasuki {

namespace {

auto order_of(const Region& region) {
    return std::tuple(region.space, region.first, region.count);
}

bool begins_in(const PostLayout::Part& part, const Region& region) {
    return part.region.space == region.space && part.region.first <= region.first &&
           region.first + region.count <= part.region.first + part.region.count;
}

}  // namespace

PostLayout::PostLayout(const Program& program) {
    std::vector<Region> sent;
    for (const Step& step : program.steps) {
        if (step.kind == StepKind::send && !step.from.empty()) sent.push_back(step.from);
    }
    std::ranges::sort(sent, {}, order_of);
    for (const Region& region : sent) {
        if (!parts_.empty() && begins_in(parts_.back(), region)) continue;
        Region* const last = parts_.empty() ? nullptr : &parts_.back().region;
        if (last != nullptr && last->space == region.space &&
            last->first + last->count == region.first) {
            *last = tasuki::chunks(region.space, last->first, last->count + region.count);
        } else {
            parts_.push_back({region, chunks_});
        }
        chunks_ += region.count;
    }
}

std::int64_t PostLayout::place_of(const Region& region) const {
    if (region.empty()) return 0;
    const auto part = std::ranges::find_if(
        parts_, [&](const Part& candidate) { return begins_in(candidate, region); });
    return part->place + region.first - part->region.first;
}

}  // namespace tasuki

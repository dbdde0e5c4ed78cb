#include "report/size_tally.hpp"

#include <algorithm>
#include <string>

namespace tasuki::report {

namespace {

std::string name_of(const Choice* ran) {
    return ran == nullptr ? "native" : ran->text();
}

}  // namespace

void SizeTally::find(const Choice* ran) {
    const auto found = std::ranges::find(uses_, ran, &Use::ran);
    last_ = static_cast<std::uint32_t>(found - uses_.begin());
    if (found == uses_.end()) uses_.push_back({ran, 0, 0});
}

SizeRecord SizeTally::record(double seconds_per_tick, bool with_course) const {
    SizeRecord record;
    record.ranks = 1;
    record.bytes = bytes_;
    for (const Use& use : uses_) {
        const double seconds = static_cast<double>(use.ticks) * seconds_per_tick;
        record.calls += static_cast<double>(use.calls);
        record.seconds.sum += seconds;
        record.algorithms.push_back({name_of(use.ran), static_cast<double>(use.calls), seconds});
    }
    record.seconds.most = record.seconds.sum;
    if (!with_course) return record;
    record.course.spans = history_.spans();
    record.course.points = history_.points(seconds_per_tick);
    for (const AlgorithmUse& use : record.algorithms) record.course.names.push_back(use.name);
    return record;
}

}  // namespace tasuki::report

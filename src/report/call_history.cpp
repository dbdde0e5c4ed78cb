#include "report/call_history.hpp"

namespace tasuki::report {

namespace {

constexpr std::uint64_t points_in_an_octave = 8;

}  // namespace

void CallHistory::begin_span(std::uint32_t algorithm) {
    // What was short belongs to what came before it; then that may be what goes on now.
    while (spans_.size() > 1 && spans_.back().calls * visible_share < spans_.back().first) {
        const std::uint64_t calls = spans_.back().calls;
        spans_.pop_back();
        spans_.back().calls += calls;
    }
    const bool goes_on = !spans_.empty() && spans_.back().algorithm == algorithm;
    if (!goes_on && spans_.size() < most_spans) spans_.push_back({calls_, 0, algorithm});
}

void CallHistory::begin_point() {
    firsts_of_points_.push_back(calls_);
    ticks_of_points_.push_back(0);
    next_point_ += std::max<std::uint64_t>(1, std::bit_floor(calls_) / points_in_an_octave);
}

std::vector<TimePoint> CallHistory::points(double seconds_per_tick) const {
    std::vector<TimePoint> points;
    for (std::size_t i = 0; i < firsts_of_points_.size(); ++i) {
        const std::uint64_t first = firsts_of_points_[i];
        const std::uint64_t next =
            i + 1 < firsts_of_points_.size() ? firsts_of_points_[i + 1] : calls_ + 1;
        const double seconds = static_cast<double>(ticks_of_points_[i]) * seconds_per_tick;
        points.push_back({first, seconds / static_cast<double>(next - first)});
    }
    return points;
}

}  // namespace tasuki::report

#include "predict/quick_measurement.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "predict/parameter_source.hpp"

namespace tasuki {

namespace {

/// Of a step that measures.
constexpr std::int32_t exchanges = 5;
/// A step begins when the budget pays for so many times what it is expected to cost.
constexpr double safety = 2;
/// The gap is at least this share of what the factor of the whole message makes of it, whatever
/// noise has done to the latency.
constexpr double least_share_of_gap = 0.5;

constexpr auto& at = QuickTimes::sizes;
using Factors = QuickTimes::OfPlace;

double one_way(const LinkParameters& link, std::int64_t bytes) {
    return link.latency + link.gap(bytes);
}

double factor_at(const Factors& factors, std::int64_t bytes) {
    if (bytes <= at.front()) return factors.front();
    for (std::size_t i = 1; i < at.size(); ++i) {
        if (bytes > at[i]) continue;
        const auto log = [](std::int64_t size) { return std::log2(static_cast<double>(size)); };
        const double share = (log(bytes) - log(at[i - 1])) / (log(at[i]) - log(at[i - 1]));
        return factors[i - 1] + share * (factors[i] - factors[i - 1]);
    }
    return factors.back();
}

PiecewiseLinear scaled(const PiecewiseLinear& function, const Factors& factors) {
    std::set<std::int64_t> known(at.begin(), at.end());
    for (const auto& [bytes, unused] : function.points()) known.insert(bytes);
    std::vector<PiecewiseLinear::Point> points;
    for (const std::int64_t bytes : known) {
        points.push_back({bytes, function(bytes) * factor_at(factors, bytes)});
    }
    return PiecewiseLinear(std::move(points));
}

LinkParameters scaled(const LinkParameters& link, const QuickTimes::OfPlace& times) {
    if (!std::ranges::all_of(times, [](double seconds) { return seconds > 0; })) return link;
    Factors whole{}, of_gap{};
    for (std::size_t i = 0; i < at.size(); ++i) whole[i] = times[i] / one_way(link, at[i]);
    const double latency = link.latency * whole.front();
    for (std::size_t i = 0; i < at.size(); ++i) {
        const double gap = link.gap(at[i]);
        of_gap[i] = std::max((times[i] - latency) / gap, least_share_of_gap * whole[i]);
    }
    return {latency, scaled(link.send_overhead, whole), scaled(link.receive_overhead, whole),
            scaled(link.gap, of_gap)};
}

}  // namespace

MachineParameters scaled_by(const QuickTimes& times, const MachineParameters& built_in) {
    MachineParameters machine = built_in;
    machine.fingerprint = std::string(quick_prefix) + "scaled from " + built_in.fingerprint;
    machine.on_node = scaled(built_in.on_node, times.on_node);
    machine.off_node = scaled(built_in.off_node, times.off_node);
    return machine;
}

QuickMeasurement::QuickMeasurement(const MachineParameters& built_in, std::array<bool, 2> places)
    : built_in_(built_in) {
    std::size_t count = 0;
    if (places[0]) places_[count++] = PairPlace::on_node;
    if (places[1]) places_[count++] = PairPlace::off_node;
    steps_ = count * steps_of_a_place;
}

QuickStep QuickMeasurement::step(std::size_t number) const {
    const PairPlace place = places_[number / steps_of_a_place];
    const std::size_t in_place = number % steps_of_a_place;
    if (in_place == 0) return {place, at.front(), 1, at.size()};
    return {place, at[in_place - 1], exchanges, in_place - 1};
}

double QuickMeasurement::seconds_of_messages(const QuickStep& step) const {
    const bool is_on_node = step.place == PairPlace::on_node;
    const LinkParameters& link = is_on_node ? built_in_.on_node : built_in_.off_node;
    const QuickTimes::OfPlace& times = is_on_node ? times_.on_node : times_.off_node;
    double slower = 1;
    for (std::size_t i = 0; i < at.size() && times[i] > 0; ++i) {
        slower = std::max(1.0, times[i] / one_way(link, at[i]));
    }
    return 2 * step.exchanges * slower * one_way(link, step.bytes);
}

std::optional<QuickStep> QuickMeasurement::due(const Account& account) const {
    if (is_done()) return std::nullopt;
    const QuickStep next = step(next_);
    const double expected =
        seconds_of_messages(next) + next.exchanges * excess_ + account.agreement_seconds;
    const double allowed = account.budget * account.seconds;
    if (account.learning_seconds + safety * expected > allowed) return std::nullopt;
    return next;
}

void QuickMeasurement::add(double one_way, double cost) {
    const QuickStep done = step(next_++);
    cost_ += cost;
    if (done.size < at.size()) {
        const bool is_on_node = done.place == PairPlace::on_node;
        (is_on_node ? times_.on_node : times_.off_node)[done.size] = one_way;
    }
    // Not as a factor: what one exchange has waited for a core is not more for longer messages.
    excess_ = std::max(0.0, cost - seconds_of_messages(done)) / done.exchanges;
    // What the other place costs, it says itself.
    if (done.size + 1 == at.size()) excess_ = 0;
}

}  // namespace tasuki

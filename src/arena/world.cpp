#include "arena/world.hpp"

#include <algorithm>
#include <cmath>

#include "select/digest.hpp"

namespace tasuki {

namespace {

std::uint64_t seed_of(std::uint64_t seed, std::string_view machine, std::string_view what,
                      std::int64_t bytes) {
    return Digest()
        .add(static_cast<double>(seed))
        .add(machine)
        .add(what)
        .add(static_cast<double>(bytes))
        .value();
}

/// A number that is the same for the same arguments, normal over all arguments.
double normal_of(std::uint64_t seed, std::string_view machine, std::string_view what,
                 std::int64_t bytes = -1) {
    return Random(seed_of(seed, machine, what, bytes)).normal();
}

/// The algorithm that a typical host has compiled in for a size.
std::string_view hosts_choice(std::int64_t bytes) {
    return bytes <= 256 ? "bruck" : bytes <= 32768 ? "spread" : "pairwise";
}

}  // namespace

World::World(const DescribedMachine& machine, const CandidateSet& set, std::int64_t bytes,
             const Noise& noise, std::uint64_t seed)
    : noise_(noise),
      ranks_(machine.placement.ranks()),
      slowest_link_(machine.placement.nodes() > 1 ? machine.parameters.off_node
                                                  : machine.parameters.on_node),
      random_(seed_of(seed, machine.name, "calls", bytes)) {
    candidates_.push_back({"native", unknown});
    true_seconds_.push_back(0);
    for (std::size_t i = 1; i < set.choices().size(); ++i) {
        const std::string name = set.choices()[i].text();
        const double walk = set.seconds(i, bytes, machine.parameters);
        const double error = noise.model_error * normal_of(seed, machine.name, name) +
                             noise.model_error_size * normal_of(seed, machine.name, name, bytes);
        // The parameters' errors are common to the candidates of a size, but not quite.
        const double measured =
            noise.parameter_error * normal_of(seed, machine.name, name + " parameters", bytes);
        candidates_.push_back({name, walk * std::exp(measured)});
        true_seconds_.push_back(walk * std::exp(error));
        if (set.choices()[i].algorithm->name == hosts_choice(bytes)) {
            true_seconds_[0] =
                0.97 * walk *
                std::exp(noise.model_error_size * normal_of(seed, machine.name, "native", bytes));
        }
    }
}

double World::agreement_seconds(std::size_t numbers) const {
    const auto bytes = static_cast<std::int64_t>(numbers * sizeof(double));
    return std::ceil(std::log2(ranks_)) * (slowest_link_.latency + slowest_link_.gap(bytes));
}

std::uint32_t World::best() const {
    const auto best = std::ranges::min_element(true_seconds_);
    return static_cast<std::uint32_t>(best - true_seconds_.begin());
}

double World::measure(std::uint32_t candidate) {
    const double seconds = true_seconds_[candidate];
    const double slow_rank =
        random_.uniform() < noise_.slow_rank_chance ? noise_.slow_rank_seconds : 0;
    // All wait for the last to come; the first to come waits longest.
    const double end = seconds * std::exp(noise_.call * random_.normal()) +
                       noise_.skew * seconds * random_.largest_exponential(ranks_) + slow_rank;
    if (noise_.mean_over_ranks) return end + (noise_.jitter - noise_.skew) * seconds;
    return end + noise_.jitter * seconds * random_.largest_exponential(ranks_);
}

void World::slow_down(double factor) {
    for (double& seconds : true_seconds_) seconds *= factor;
}

}  // namespace tasuki

#include "select/decision.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace tasuki {

namespace {

constexpr std::array<std::string_view, 6> fates = {"waiting",  "winner",    "slower",
                                                   "hopeless", "predicted", "failed"};

}  // namespace

std::string_view name_of(Fate fate) {
    return fates[static_cast<std::size_t>(fate)];
}

Fate read_fate(std::string_view name) {
    const auto place = std::ranges::find(fates, name);
    if (place == fates.end()) {
        throw std::invalid_argument("\"" + std::string(name) +
                                    "\" is no fate of a candidate; expected waiting, winner, "
                                    "slower, hopeless, predicted or failed");
    }
    return static_cast<Fate>(place - fates.begin());
}

const CandidateRecord* Decision::find(std::string_view name) const {
    const auto place = std::ranges::find(candidates, name, &CandidateRecord::name);
    return place == candidates.end() ? nullptr : &*place;
}

double Decision::break_even_calls() const {
    const CandidateRecord* host = find("native");
    const CandidateRecord* best = find(winner);
    if (host == nullptr || best == nullptr || !(host->measured > best->measured)) return unknown;
    return learning_seconds / (host->measured - best->measured);
}

}  // namespace tasuki

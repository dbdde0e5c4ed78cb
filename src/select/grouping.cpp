#include "select/grouping.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace tasuki {

namespace {

constexpr std::array<std::string_view, 3> names = {"everything", "midpoint", "near-best"};

}  // namespace

std::string_view name_of(Grouping grouping) {
    return names[static_cast<std::size_t>(grouping)];
}

Grouping read_grouping(std::string_view name) {
    const auto place = std::ranges::find(names, name);
    if (place == names.end()) {
        throw std::invalid_argument("no grouping \"" + std::string(name) +
                                    "\"; choose one of everything, midpoint, near-best");
    }
    return static_cast<Grouping>(place - names.begin());
}

double longest_to_measure(std::span<const double> predicted, Grouping grouping, double factor) {
    double shortest = std::numeric_limits<double>::infinity();
    double longest = 0;
    for (const double seconds : predicted) {
        if (std::isnan(seconds)) continue;
        shortest = std::min(shortest, seconds);
        longest = std::max(longest, seconds);
    }
    switch (grouping) {
        case Grouping::midpoint:
            return (shortest + longest) / 2;
        case Grouping::near_best:
            return factor * shortest;
        case Grouping::everything:
            break;
    }
    return longest;
}

}  // namespace tasuki

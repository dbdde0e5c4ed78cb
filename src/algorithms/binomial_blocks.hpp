// Gathering and scattering over the binomial tree.
#pragma once

#include "schedule/schedule.hpp"

namespace tasuki {

/// How blocks travel through ranks to which they do not belong.
enum class Passing : std::uint8_t {
    sized,   ///< these know how large they are
    padded,  ///< heads in room for the largest; tails straight, between the root and their rank
};

/// Up the tree, each rank with the blocks of all below it.
Program binomial_gather(std::int32_t rank, const Instance& instance, Passing passing);
/// Down the tree, to each rank the blocks of all below it.
Program binomial_scatter(std::int32_t rank, const Instance& instance, Passing passing);

}  // namespace tasuki

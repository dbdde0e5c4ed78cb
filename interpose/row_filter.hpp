#pragma once

#include <string_view>

#include "algorithms/algorithm.hpp"

namespace tasuki::interpose {

/// Which rows of a collective some of its calls can run by: the same on all ranks. Filters are
/// objects that live as long as the process, because what is learnt under one is kept under its
/// address.
struct RowFilter {
    /// Behind the collective's name in keys of decisions.
    std::string_view key_suffix;
    /// Why a row cannot run such calls on so many ranks, as a sentence; nullptr if it can.
    const char* (*why_not)(const Algorithm& row, int ranks);
};

inline constexpr RowFilter every_row{"",
                                     [](const Algorithm&, int) -> const char* { return nullptr; }};

}  // namespace tasuki::interpose

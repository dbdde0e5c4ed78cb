#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "algorithms/algorithm.hpp"
#include "calls/collectives.hpp"
#include "select/candidates.hpp"

namespace tasuki::interpose {

/// Which rows of a collective some of its calls can run by: the same on all ranks. Filters are
/// objects that live as long as the process, because what is learnt under one is kept under its
/// address.
struct RowFilter {
    /// Behind the collective's name in keys of decisions.
    std::string_view key_suffix;
    /// Why a row cannot run such calls on so many ranks, as a sentence; nullptr if it can.
    const char* (*why_not)(const Algorithm& row, int ranks);
    /// What runs where the host's own algorithm would, for so many bytes as SelectionKey counts
    /// them: it must not run such calls. Another one may be usual where memory carries it.
    /// nullptr: the host may.
    const Choice* (*instead_of_host)(Collective collective, int ranks, std::int64_t bytes,
                                     Carrier carrier);
    /// What such calls run by in place of the table's rows; nullptr: by these.
    std::span<const CompositeRow> (*beside_table)() = nullptr;
};

inline constexpr RowFilter every_row{
    "", [](const Algorithm&, int) -> const char* { return nullptr; }, nullptr};

}  // namespace tasuki::interpose

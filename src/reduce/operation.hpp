// The predefined reduction operations of MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tasuki::reduction {

enum class Operation : std::uint8_t {
    max,
    min,
    sum,
    prod,
    land,
    band,
    lor,
    bor,
    lxor,
    bxor,
    maxloc,
    minloc,
};

inline constexpr std::size_t operations = 12;

/// As MPI calls them, in lower case and without MPI_; [Operation].
inline constexpr std::string_view operation_names[operations] = {
    "max", "min", "sum", "prod", "land", "band", "lor", "bor", "lxor", "bxor", "maxloc", "minloc"};

}  // namespace tasuki::reduction

// A record as bytes that travel between ranks of one run, which all have this build.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "report/record.hpp"

namespace tasuki::report {

/// Without the facts, which only one rank knows.
std::vector<std::byte> pack(const RunRecord& run);

/// Throws std::invalid_argument if the bytes are no record.
RunRecord unpack(std::span<const std::byte> bytes);

}  // namespace tasuki::report

// What the contracts of blocks have in common that are sent through ranks which do not know them.
#pragma once

#include "schedule/program.hpp"

namespace tasuki {

/// How many chunks a program makes of so many blocks.
inline std::int32_t chunks_of(const Program& program, std::int32_t blocks) {
    return program.has_tails ? 2 * blocks : blocks;
}

}  // namespace tasuki

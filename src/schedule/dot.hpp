// A schedule as a picture, for Graphviz.
#pragma once

#include <string>

#include "schedule/schedule.hpp"

namespace tasuki {

/// DOT text: a box for each rank with its steps in it, an arrow for each dependency, and a coloured
/// one for each message. `dot -Tsvg` draws it. Messages that nothing meets have no arrow.
std::string write_dot(const Schedule& schedule);

}  // namespace tasuki

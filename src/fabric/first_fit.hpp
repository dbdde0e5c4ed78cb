// A schedule for any fabric and any forwarding tables.
#pragma once

#include "fabric/route_table.hpp"
#include "fabric/stage_table.hpp"

namespace tasuki {

/// Every message goes into the first stage in which its sender, its receiver and all its links are
/// free. No bound is proved: it is the heuristic for trees of three levels, and for tables under
/// which nodes share downlinks.
///
/// Cost: messages x stages / 64 words.
StageTable first_fit(const RouteTable& routes);

}  // namespace tasuki

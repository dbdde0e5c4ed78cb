#pragma once

#include "report/record.hpp"

namespace tasuki::interpose {

/// What can be said of this run at its beginning; `seconds` is still 0.
report::RunFacts run_facts();

}  // namespace tasuki::interpose

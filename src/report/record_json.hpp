#pragma once

#include <string>

#include "report/record.hpp"

namespace tasuki::report {

/// What stands under "tasuki_report"; it counts up when a name changes its meaning or goes.
inline constexpr int json_version = 1;

/// The whole record. docs/reference/report.md says what each name means.
std::string record_json(const RunRecord& run);

}  // namespace tasuki::report

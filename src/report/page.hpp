#pragma once

#include <string>

#include "report/record.hpp"

namespace tasuki::report {

/// The record as one HTML file that needs nothing from elsewhere: drawings are SVG, there is no
/// script, and the record itself stands in it as JSON. It is well-formed XML.
std::string page(const RunRecord& run);

}  // namespace tasuki::report

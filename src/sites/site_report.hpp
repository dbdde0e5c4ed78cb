// What the check of reductions has found, for people and for programs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sites/site_table.hpp"

namespace tasuki {

/// Of which run it is.
struct ReportedRun {
    int ranks = 1;
    std::string_view mode;  ///< of reproducible reductions
};

/// Lines for a person: how many call sites depend on the order, then the sites, those that differ
/// most first. Reads the symbols of the program's files.
std::vector<std::string> report_lines(const SiteTable& table, const ReportedRun& run);

/// The same as one JSON object; docs/how-to/why-results-change.md tells its keys.
std::string report_json(const SiteTable& table, const ReportedRun& run);

}  // namespace tasuki

// The file that a report is written to.
#pragma once

#include <filesystem>
#include <string>

#include "report/record.hpp"

namespace tasuki::report {

enum class Form { page, json };

/// By the end of its name. Throws std::invalid_argument for any other than .html and .json.
Form form_of(const std::filesystem::path& path);

/// Empty if a report can most likely be written there, else why not, as a sentence that says what
/// to do. Leaves nothing behind.
std::string why_not_writable(const std::filesystem::path& path);

/// Puts the report there at once: a file that was there stays whole until then. Throws
/// std::runtime_error that says what went wrong.
void write_report(const std::filesystem::path& path, const RunRecord& run);

}  // namespace tasuki::report

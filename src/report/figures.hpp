// The drawings of the page, as SVG.
#pragma once

#include <string>

#include "report/colours.hpp"
#include "report/record.hpp"

namespace tasuki::report {

/// The size classes that took most time, and by which algorithms. Empty where there is none.
std::string time_figure(const RunRecord& run, const Colours& colours);

/// Which algorithm ran from call to call, and how long calls took. `size` has a course.
std::string calls_figure(const SizeRecord& size, const Colours& colours);

/// Every candidate that was predicted and measured. Empty where there is none.
std::string prediction_figure(const RunRecord& run);

/// "alltoall 4 KiB"
std::string title_of(const SizeRecord& size);

}  // namespace tasuki::report

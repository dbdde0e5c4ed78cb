#pragma once

#include <string>
#include <string_view>

namespace tasuki {

/// With quotes; what is no plain character is escaped.
std::string json_text(std::string_view text);

/// JSON has no infinity: null then.
std::string json_number(double value);

}  // namespace tasuki

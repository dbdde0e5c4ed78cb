#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace tasuki::launcher {

/// The variables of a process, to look at; what is changed is set by setenv.
using Environment = std::map<std::string, std::string, std::less<>>;

Environment own_environment();

/// The value of a variable, "" where it is not set.
std::string_view value_of(const Environment& environment, std::string_view name);

bool is_set(const Environment& environment, std::string_view name);

}  // namespace tasuki::launcher

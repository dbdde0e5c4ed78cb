#pragma once

#include <string>
#include <string_view>

namespace tasuki::interpose {

/// Writes "tasuki: MESSAGE" to standard error, whole, so that ranks do not interleave.
void say(std::string_view message);

/// The same once in the process, for each `subject`.
void say_once(const std::string& subject, const std::string& message);
inline void say_once(const std::string& message) {
    say_once(message, message);
}

}  // namespace tasuki::interpose

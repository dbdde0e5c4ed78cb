#pragma once

#include <string>

namespace tasuki::interpose {

/// Ends all ranks by an abort with `exit_code`, after saying why and once the launcher has read it
/// (0.1 s; 1.1 s if it does not read).
[[noreturn]] void end_run_saying(const std::string& message, int exit_code);

/// The same of a rank: for what one rank alone meets in the middle of a collective,
/// when the others would wait for it for ever.
[[noreturn]] void abort_run(const std::string& why);

}  // namespace tasuki::interpose

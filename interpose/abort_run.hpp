#pragma once

#include <string>

namespace tasuki::interpose {

/// Ends all ranks, after saying why: for what one rank alone meets in the middle of a collective,
/// when the others would wait for it for ever.
[[noreturn]] void abort_run(const std::string& why);

}  // namespace tasuki::interpose

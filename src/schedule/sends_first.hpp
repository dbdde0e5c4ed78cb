#pragma once

#include "schedule/program.hpp"

namespace tasuki {

/// The same steps, those that send and wait for nothing before all others. Where ranks share memory
/// what is sent finds its place by itself, and a receive that is begun earlier gains nothing; with
/// libraries that match messages it does.
Program with_sends_first(const Program& program);

}  // namespace tasuki

// What ran in this thread's last call of each collective.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "algorithms/algorithm.hpp"
#include "calls/collectives.hpp"

namespace tasuki::interpose {

struct LastCall {
    const Choice* ran = nullptr;
    const char* reason = nullptr;  ///< nullptr: there was none yet
};
extern constinit thread_local LastCall last_calls[collectives];

class QuietCall;
/// The one that this was, where it was a call of which nothing had to be asked and nothing was
/// noted; else no_quiet_call.
using LastQuietCalls = std::array<QuietCall*, collectives>;
extern constinit thread_local LastQuietCalls last_quiet_calls;
extern constinit QuietCall no_quiet_call;

/// `reason` says why the host's own ran, "" if an algorithm of ours did or none was asked for. It
/// must live as long as the process.
inline void note_call(Collective collective, const Choice* ran, const char* reason) {
    last_calls[static_cast<std::size_t>(collective)] = {ran, reason};
    last_quiet_calls[static_cast<std::size_t>(collective)] = &no_quiet_call;
}
LastCall last_call_of(Collective collective);
/// Notes it where it was quiet: that is about to mean something else.
inline void note_last(Collective collective) {
    const LastCall last = last_call_of(collective);
    note_call(collective, last.ran, last.reason);
}

/// "bruck:radix=2", "exact-blocks", "native", or "native: " and why; "" before the first call.
/// While the host's own algorithm is chosen it is always "native".
std::string last_call(Collective collective);

/// Keeps a text for the rest of the process, once.
const char* keep_for_ever(const std::string& text);

}  // namespace tasuki::interpose

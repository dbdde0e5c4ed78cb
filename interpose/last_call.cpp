#include "interpose/last_call.hpp"

#include <mutex>
#include <set>

#include "interpose/quiet_calls.hpp"
#include "interpose/wishes.hpp"

namespace tasuki::interpose {

constinit thread_local LastCall last_calls[collectives];

LastCall last_call_of(Collective collective) {
    const auto index = static_cast<std::size_t>(collective);
    const QuietCall* const quiet = last_quiet_calls[index];
    return quiet == &no_quiet_call ? last_calls[index] : LastCall{quiet->ran_, quiet->reason_};
}

std::string last_call(Collective collective) {
    // Calls that are off are not noted: that is what makes off free.
    if (!is_asked_for(collective)) return "native";
    const LastCall call = last_call_of(collective);
    if (call.reason == nullptr) return "";
    if (call.ran != nullptr) return call.ran->text();
    return *call.reason == '\0' ? "native" : std::string("native: ") + call.reason;
}

const char* keep_for_ever(const std::string& text) {
    static std::mutex mutex;
    static std::set<std::string> texts;
    const std::lock_guard lock(mutex);
    return texts.insert(text).first->c_str();
}

}  // namespace tasuki::interpose

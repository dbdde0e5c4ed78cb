#include "interpose/last_call.hpp"

#include <mutex>
#include <set>

#include "interpose/wishes.hpp"

namespace tasuki::interpose {

constinit thread_local LastCall last_calls[collectives];

std::string last_call(Collective collective) {
    // Calls that are off are not noted: that is what makes off free.
    if (!is_asked_for(collective)) return "native";
    const LastCall& call = last_calls[static_cast<std::size_t>(collective)];
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

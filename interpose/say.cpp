#include "interpose/say.hpp"

#include <mutex>
#include <set>
#include <string>
#include <unistd.h>

namespace tasuki::interpose {

void say(std::string_view message) {
    const std::string line = "tasuki: " + std::string(message) + "\n";
    // One write; if standard error is closed there is nobody to tell.
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
}

void say_once(const std::string& subject, const std::string& message) {
    static std::mutex mutex;
    static std::set<std::string> said;
    const std::lock_guard lock(mutex);
    if (said.insert(subject).second) say(message);
}

}  // namespace tasuki::interpose

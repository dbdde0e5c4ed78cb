#include "interpose/say.hpp"

#include <string>
#include <unistd.h>

namespace tasuki::interpose {

void say(std::string_view message) {
    const std::string line = "tasuki: " + std::string(message) + "\n";
    // One write; if standard error is closed there is nobody to tell.
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace tasuki::interpose

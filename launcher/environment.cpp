#include "launcher/environment.hpp"

#include <unistd.h>

namespace tasuki::launcher {

Environment own_environment() {
    Environment environment;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string_view text(*variable);
        const std::size_t sign = text.find('=');
        if (sign == std::string_view::npos) continue;
        environment.emplace(text.substr(0, sign), text.substr(sign + 1));
    }
    return environment;
}

std::string_view value_of(const Environment& environment, std::string_view name) {
    const auto found = environment.find(name);
    return found == environment.end() ? std::string_view{} : found->second;
}

bool is_set(const Environment& environment, std::string_view name) {
    return environment.find(name) != environment.end();
}

}  // namespace tasuki::launcher

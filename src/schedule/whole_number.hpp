// Numbers in texts that people write.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace tasuki {

/// The number that all of `text` is; nothing if it is anything else, or none that a Number holds.
template <typename Number>
std::optional<Number> whole_number(std::string_view text) {
    Number value = 0;
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, value);
    if (error != std::errc{} || end != last) return std::nullopt;
    return value;
}

}  // namespace tasuki

#include "report/texts.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace tasuki::report {

namespace {

constexpr std::string_view thin_space = "\u2009";

/// Three digits that count.
std::string three_digits(double number) {
    const double size = std::abs(number);
    return number_text(number, size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
}

/// How many bytes the character that begins here has in UTF-8; 0 if it is none.
std::size_t character_length(std::string_view text) {
    const auto first = static_cast<unsigned char>(text.front());
    const std::size_t length = first < 0x80                    ? 1
                               : first >= 0xc2 && first < 0xe0 ? 2
                               : first >= 0xe0 && first < 0xf0 ? 3
                               : first >= 0xf0 && first < 0xf5 ? 4
                                                               : 0;
    if (length == 0 || length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return 0;
    }
    return length;
}

}  // namespace

std::string number_text(double number, int digits) {
    std::array<char, 400> text;
    const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), number,
                                            std::chars_format::fixed, digits);
    return {text.data(), end};
}

std::string duration_text(double seconds) {
    if (!std::isfinite(seconds)) return "-";
    if (seconds < 0) return "-" + duration_text(-seconds);
    if (seconds == 0) return "0 s";
    if (seconds < 1e-6) return three_digits(seconds * 1e9) + " ns";
    if (seconds < 1e-3) return three_digits(seconds * 1e6) + " µs";
    if (seconds < 1) return three_digits(seconds * 1e3) + " ms";
    if (seconds < 120) return three_digits(seconds) + " s";
    const double minutes = std::floor(seconds / 60);
    if (minutes < 120) {
        return number_text(minutes, 0) + " min " + number_text(seconds - 60 * minutes, 0) + " s";
    }
    return number_text(std::floor(minutes / 60), 0) + " h " +
           number_text(std::fmod(minutes, 60), 0) + " min";
}

std::string short_duration_text(double seconds) {
    std::string text = duration_text(seconds);
    const std::size_t unit = text.find(' ');
    if (unit == text.npos || text.find('.') > unit) return text;
    const std::size_t last = text.find_last_not_of('0', unit - 1);
    return text.erase(text[last] == '.' ? last : last + 1, unit - last - (text[last] != '.'));
}

std::string bytes_text(double bytes) {
    constexpr std::array<const char*, 6> units = {" B", " KiB", " MiB", " GiB", " TiB", " PiB"};
    std::size_t unit = 0;
    while (bytes >= 1024 && unit + 1 < units.size()) {
        bytes /= 1024;
        ++unit;
    }
    const bool is_whole = bytes == std::floor(bytes);
    return (is_whole ? number_text(bytes, 0) : three_digits(bytes)) + units[unit];
}

std::string count_text(double count) {
    if (count >= 1e6) return three_digits(count / 1e6) + " million";
    const bool is_whole = count == std::round(count);
    std::string text = number_text(count, is_whole || count >= 100 ? 0 : 1);
    const std::size_t point = std::min(text.find('.'), text.size());
    if (point > 4) text.insert(point - 3, thin_space);
    return text;
}

std::string percent_text(double share) {
    if (!std::isfinite(share)) return "-";
    const double percent = 100 * share;
    return number_text(percent, std::abs(percent) < 9.95 ? 1 : 0) + " %";
}

std::string plain_text(std::string_view text) {
    std::string plain;
    while (!text.empty()) {
        const std::size_t length = character_length(text);
        const auto first = static_cast<unsigned char>(text.front());
        const bool is_good = length > 0 && first >= 0x20 && first != 0x7f;
        plain += is_good ? text.substr(0, length) : "?";
        text.remove_prefix(is_good ? length : 1);
    }
    return plain;
}

}  // namespace tasuki::report

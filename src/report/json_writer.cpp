#include "report/json_writer.hpp"

#include <charconv>
#include <cmath>
#include <utility>

namespace tasuki::report {

JsonWriter& JsonWriter::key(std::string_view name) {
    begin_value();
    append_quoted(name);
    text_ += ": ";
    has_key_ = true;
    return *this;
}

void JsonWriter::value(std::string_view text) {
    begin_value();
    append_quoted(text);
}

void JsonWriter::value(double number) {
    if (!std::isfinite(number)) return null();
    char digits[32];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number);
    word({digits, end});
}

void JsonWriter::word(std::string_view word) {
    begin_value();
    text_ += word;
}

void JsonWriter::begin_value() {
    if (std::exchange(has_key_, false) || is_empty_.empty()) return;
    if (!is_empty_.back()) text_ += ',';
    is_empty_.back() = false;
    new_line();
}

void JsonWriter::new_line() {
    text_ += '\n';
    text_.append(2 * is_empty_.size(), ' ');
}

void JsonWriter::append_quoted(std::string_view text) {
    constexpr std::string_view digits = "0123456789abcdef";
    text_ += '"';
    for (const char character : text) {
        const auto code = static_cast<unsigned char>(character);
        if (code < 0x20 || std::string_view("\"\\<>&\x7f").find(character) != text.npos) {
            text_ += "\\u00";
            text_ += digits[code >> 4];
            text_ += digits[code & 15];
        } else {
            text_ += character;
        }
    }
    text_ += '"';
}

}  // namespace tasuki::report

#include "schedule/line_scanner.hpp"

#include <charconv>
#include <string>

#include "schedule/text.hpp"

namespace tasuki {

namespace {

bool is_word_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
}

std::size_t word_length(std::string_view text) {
    std::size_t length = 0;
    while (length < text.size() && is_word_character(text[length])) ++length;
    return length;
}

/// What a message shows of the text: short, and nothing that a terminal would obey.
std::string shown(std::string_view text) {
    constexpr std::size_t most = 20;
    if (text.empty()) return "the end of the line";
    std::string shown = "\"";
    for (char c : text.substr(0, most)) shown += c >= ' ' && c <= '~' ? c : '?';
    return shown + (text.size() > most ? "...\"" : "\"");
}

}  // namespace

std::string_view LineScanner::word(std::string_view expected) {
    skip_blanks();
    const std::size_t length = word_length(rest_);
    if (length == 0) fail(expected);
    const std::string_view word = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return word;
}

std::int64_t LineScanner::number(std::string_view expected, std::int64_t low, std::int64_t high) {
    skip_blanks();
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    const bool is_whole = end == rest_.data() + rest_.size() || !is_word_character(*end);
    if (error != std::errc{} || !is_whole || value < low || value > high) {
        fail(std::string(expected) + " from " + std::to_string(low) + " to " +
             std::to_string(high));
    }
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
}

std::string_view LineScanner::until_blank(std::string_view expected) {
    skip_blanks();
    if (rest_.empty()) fail(expected);
    const std::string_view text = rest_.substr(0, rest_.find(' '));
    rest_.remove_prefix(text.size());
    return text;
}

bool LineScanner::take(std::string_view text) {
    skip_blanks();
    if (!rest_.starts_with(text)) return false;
    if (is_word_character(text.back()) && word_length(rest_) > word_length(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
}

void LineScanner::expect(std::string_view text) {
    if (!take(text)) fail("\"" + std::string(text) + "\"");
}

bool LineScanner::at_end() {
    skip_blanks();
    return rest_.empty();
}

void LineScanner::expect_end() {
    if (!at_end()) fail("the end of the line");
}

void LineScanner::fail(std::string_view expected) {
    skip_blanks();
    refuse("expected " + std::string(expected) + ", found " + shown(rest_));
}

void LineScanner::refuse(std::string_view sentence) const {
    throw TextError("line " + std::to_string(number_) + ": " + std::string(sentence));
}

void LineScanner::skip_blanks() {
    const auto blanks = rest_.find_first_not_of(' ');
    rest_.remove_prefix(blanks == std::string_view::npos ? rest_.size() : blanks);
}

}  // namespace tasuki

// Takes one line of text apart, and says what it expected where that fails.
#pragma once

#include <cstdint>
#include <string_view>

namespace tasuki {

/// Reads from left to right; blanks before a word, number or sign are skipped. Whatever is not
/// found is thrown as TextError with the line's number, what was expected and what stands there.
class LineScanner {
  public:
    LineScanner(std::string_view line, std::size_t number) : rest_(line), number_(number) {}

    /// Letters, digits, - and _.
    std::string_view word(std::string_view expected);
    /// An integer from `low` to `high`, not followed by a letter.
    std::int64_t number(std::string_view expected, std::int64_t low, std::int64_t high);
    /// Everything up to the next blank.
    std::string_view until_blank(std::string_view expected);

    /// Takes `text` if it stands here, a word only as a whole.
    bool take(std::string_view text);
    /// Takes `text` or fails.
    void expect(std::string_view text);

    bool at_end();
    void expect_end();

    [[noreturn]] void fail(std::string_view expected);
    /// "line 12: " and the sentence.
    [[noreturn]] void refuse(std::string_view sentence) const;

  private:
    void skip_blanks();

    std::string_view rest_;
    std::size_t number_;
};

}  // namespace tasuki

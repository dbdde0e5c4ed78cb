// JSON, written from the outside to the inside.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tasuki::report {

/// The text may also stand in a page: `<`, `>` and `&` are escaped in strings.
class JsonWriter {
  public:
    /// `write` writes what is inside, by members or by values.
    template <typename Write>
    void object(const Write& write) {
        nest('{', '}', write);
    }
    template <typename Write>
    void array(const Write& write) {
        nest('[', ']', write);
    }

    JsonWriter& key(std::string_view name);
    void value(std::string_view text);
    /// null for what is no finite number.
    void value(double number);
    void value(std::integral auto number) {
        if constexpr (std::same_as<decltype(number), bool>) {
            word(number ? "true" : "false");
        } else {
            word(std::to_string(number));
        }
    }
    void null() { word("null"); }

    template <typename Value>
    void member(std::string_view name, const Value& of) {
        key(name).value(of);
    }
    template <typename Write>
    void object(std::string_view name, const Write& write) {
        key(name).object(write);
    }
    template <typename Write>
    void array(std::string_view name, const Write& write) {
        key(name).array(write);
    }

    std::string take() { return std::move(text_) + "\n"; }

  private:
    template <typename Write>
    void nest(char open, char close, const Write& write) {
        begin_value();
        text_ += open;
        is_empty_.push_back(true);
        write();
        const bool was_empty = is_empty_.back();
        is_empty_.pop_back();
        if (!was_empty) new_line();
        text_ += close;
    }
    void begin_value();
    void new_line();
    void word(std::string_view word);
    void append_quoted(std::string_view text);

    std::string text_;
    std::vector<bool> is_empty_;  // of what is open, the innermost last
    bool has_key_ = false;
};

}  // namespace tasuki::report

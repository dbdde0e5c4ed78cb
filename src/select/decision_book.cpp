#include "select/decision_book.hpp"

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "schedule/whole_number.hpp"
#include "select/digest.hpp"

namespace tasuki {

namespace {

constexpr std::string_view magic = "tasuki-decisions";
constexpr int version = 1;

std::string number_text(double value) {
    if (!std::isfinite(value)) return "-";
    char digits[32];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
    return {digits, end};
}

std::string checksum_of(std::string_view text) {
    return Digest().add(text).text();
}

void append_decision(std::string& text, const SelectionKey& key, const Decision& decision) {
    text += "key " + key.text() + "\n";
    text += "winner " + decision.winner + "\n";
    text += "margin " + number_text(decision.margin) + "\n";
    text += "calls " + std::to_string(decision.calls) + "\n";
    text += "switched-at " + std::to_string(decision.switched_at) + "\n";
    text += "relearnings " + std::to_string(decision.relearnings) + "\n";
    text += "common-drifts " + std::to_string(decision.common_drifts) + "\n";
    text += "learning-seconds " + number_text(decision.learning_seconds) + "\n";
    text += "saved-seconds " + number_text(decision.saved_seconds) + "\n";
    for (const CandidateRecord& record : decision.candidates) {
        text += "candidate " + std::string(name_of(record.fate)) + " " +
                number_text(record.predicted) + " " + number_text(record.measured) + " " +
                std::to_string(record.samples) + " " + record.name + "\n";
    }
}

class Reader {
  public:
    explicit Reader(std::string_view text) : text_(text), rest_(text) {}

    DecisionBook read() {
        read_version();
        check_sum();
        DecisionBook book;
        next_line("fingerprint TEXT");
        expect_word("fingerprint");
        book.fingerprint = line_;
        next_line("key or checksum");
        read_rest_of_head(book);
        while (line_.starts_with("key ")) read_decision(book);
        expect_word("checksum");
        if (!rest_.empty()) refuse("something follows the checksum");
        return book;
    }

  private:
    [[noreturn]] void refuse(const std::string& why,
                             DecisionError::Kind kind = DecisionError::Kind::damaged) const {
        throw DecisionError(kind, "line " + std::to_string(number_) + ": " + why);
    }

    /// Where no line is to blame.
    [[noreturn]] static void refuse_all(const std::string& why) {
        throw DecisionError(DecisionError::Kind::damaged, why);
    }

    void next_line(std::string_view expected) {
        ++number_;
        const auto end = rest_.find('\n');
        if (end == std::string_view::npos) {
            refuse("the file is cut off; expected " + std::string(expected));
        }
        line_ = rest_.substr(0, end);
        rest_.remove_prefix(end + 1);
    }

    std::string_view take_word() {
        const auto space = line_.find(' ');
        const std::string_view word = line_.substr(0, space);
        line_.remove_prefix(space == std::string_view::npos ? line_.size() : space + 1);
        return word;
    }

    void expect_word(std::string_view expected) {
        const std::string_view found = take_word();
        if (found != expected) {
            refuse("expected " + std::string(expected) + ", found \"" + std::string(found) + "\"");
        }
    }

    template <typename Number>
    Number number(std::string_view digits) const {
        const auto value = whole_number<Number>(digits);
        bool good = value.has_value();
        if constexpr (std::is_floating_point_v<Number>) good = good && std::isfinite(*value);
        if (!good) refuse("\"" + std::string(digits) + "\" is not a number that can stand here");
        return *value;
    }

    void read_version() {
        next_line("tasuki-decisions 1");
        if (take_word() != magic) {
            refuse("this is no file of decisions; it must begin with \"tasuki-decisions 1\"");
        }
        const int found = number<int>(line_);
        if (found > version) {
            refuse("a newer Tasuki has written it (version " + std::to_string(found) +
                       ", this one reads " + std::to_string(version) + ")",
                   DecisionError::Kind::newer);
        }
        if (found < version) {
            refuse("an older Tasuki has written it (version " + std::to_string(found) +
                       ", this one reads " + std::to_string(version) + ")",
                   DecisionError::Kind::older);
        }
    }

    void check_sum() const {
        const std::string_view start = "\nchecksum ";
        const auto place = text_.rfind(start);
        if (place == std::string_view::npos) refuse_all("the file is cut off; expected a checksum");
        std::string_view given = text_.substr(place + start.size());
        given = given.substr(0, given.find('\n'));
        if (given != checksum_of(text_.substr(0, place + 1))) {
            refuse_all("the checksum does not fit: the file was changed or cut off");
        }
    }

    /// Lines that a later Tasuki has added without need for another version are passed over.
    void read_rest_of_head(DecisionBook& book) {
        while (!line_.starts_with("key ") && !line_.starts_with("checksum ")) {
            if (take_word() == "parameters") book.parameters = line_;
            next_line("key or checksum");
        }
    }

    template <typename Number>
    void read_field(std::string_view name, Number& value) {
        next_line(name);
        expect_word(name);
        value = number<Number>(line_);
    }

    void read_decision(DecisionBook& book) {
        SelectionKey key;
        try {
            key = read_key(line_.substr(4));
        } catch (const std::invalid_argument& error) {
            refuse(error.what());
        }
        const auto [place, is_new] = book.decisions.try_emplace(key);
        if (!is_new) refuse("the key stands twice");
        Decision& decision = place->second;
        next_line("winner NAME");
        expect_word("winner");
        decision.winner = line_;
        read_field("margin", decision.margin);
        read_field("calls", decision.calls);
        read_field("switched-at", decision.switched_at);
        read_field("relearnings", decision.relearnings);
        read_field("common-drifts", decision.common_drifts);
        read_field("learning-seconds", decision.learning_seconds);
        read_field("saved-seconds", decision.saved_seconds);
        for (next_line("candidate or key"); line_.starts_with("candidate ");
             next_line("candidate, key or checksum")) {
            read_candidate(decision);
        }
        if (decision.find(decision.winner) == nullptr) refuse("the winner is no candidate");
    }

    void read_candidate(Decision& decision) {
        take_word();
        CandidateRecord& record = decision.candidates.emplace_back();
        try {
            record.fate = read_fate(take_word());
        } catch (const std::invalid_argument& error) {
            refuse(error.what());
        }
        record.predicted = seconds(take_word());
        record.measured = seconds(take_word());
        record.samples = number<std::uint32_t>(take_word());
        if (line_.empty()) refuse("the candidate has no name");
        record.name = line_;
    }

    double seconds(std::string_view text) const {
        if (text == "-") return unknown;
        const double value = number<double>(text);
        if (value < 0) refuse("a time cannot be negative");
        return value;
    }

    std::string_view text_;
    std::string_view rest_;
    std::string_view line_;
    int number_ = 0;
};

}  // namespace

std::string decisions_text(const DecisionBook& book) {
    std::string text = std::string(magic) + " " + std::to_string(version) + "\n";
    text += "fingerprint " + book.fingerprint + "\n";
    if (!book.parameters.empty()) text += "parameters " + book.parameters + "\n";
    for (const auto& [key, decision] : book.decisions) append_decision(text, key, decision);
    return text + "checksum " + checksum_of(text) + "\n";
}

DecisionBook read_decisions(std::string_view text) {
    return Reader(text).read();
}

}  // namespace tasuki

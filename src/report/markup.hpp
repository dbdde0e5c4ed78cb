#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tasuki::report {

/// Text that may stand between tags and in quoted attributes of HTML and XML.
std::string escaped(std::string_view text);

/// A table of HTML, written row by row. Cells are HTML.
class Table {
  public:
    struct Column {
        std::string title;
        bool is_number = true;  ///< stands on the right
    };

    explicit Table(std::vector<Column> columns);

    void row(const std::vector<std::string>& cells);
    std::string take() { return std::move(text_) + "</tbody></table>\n"; }

  private:
    std::vector<Column> columns_;
    std::string text_;
};

}  // namespace tasuki::report

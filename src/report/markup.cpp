#include "report/markup.hpp"

#include <utility>

#include "report/texts.hpp"

namespace tasuki::report {

std::string escaped(std::string_view text) {
    std::string safe;
    for (const char character : plain_text(text)) {
        switch (character) {
            case '&':
                safe += "&amp;";
                break;
            case '<':
                safe += "&lt;";
                break;
            case '>':
                safe += "&gt;";
                break;
            case '"':
                safe += "&quot;";
                break;
            default:
                safe += character;
        }
    }
    return safe;
}

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)), text_("<table><thead>") {
    text_ += "<tr>";
    for (const Column& column : columns_) {
        text_ += column.is_number ? "<th class=\"number\">" : "<th>";
        text_ += escaped(column.title) + "</th>";
    }
    text_ += "</tr></thead><tbody>\n";
}

void Table::row(const std::vector<std::string>& cells) {
    text_ += "<tr>";
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        text_ += columns_[i].is_number ? "<td class=\"number\">" : "<td>";
        text_ += cells[i] + "</td>";
    }
    text_ += "</tr>\n";
}

}  // namespace tasuki::report

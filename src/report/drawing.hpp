// A drawing as SVG that stands in a page.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tasuki::report {

/// Lengths are pixels of CSS, from the upper left corner. Colours are as CSS has them; what they
/// tell, text tells too.
class Drawing {
  public:
    struct Point {
        double x;
        double y;
    };
    enum class Anchor { start, middle, end };

    /// `title`: what is to be seen, for those who do not see it.
    Drawing(double width, double height, std::string_view title);

    /// `remark` is shown to who points at it.
    void rectangle(Point corner, double width, double height, std::string_view colour,
                   std::string_view remark = "");
    /// `dashes`: as stroke-dasharray; empty is a whole line.
    void line(Point from, Point to, std::string_view colour, std::string_view dashes = "");
    void curve(const std::vector<Point>& points, std::string_view colour);
    void dot(Point centre, double radius, std::string_view colour, std::string_view remark);
    void text(Point at, Anchor anchor, std::string_view text, std::string_view colour = "#333");

    std::string take() { return std::move(text_) + "</svg>\n"; }

  private:
    std::string text_;
};

/// An axis whose marks are powers of ten: from `low` on to `high`, on pixels `begin` to `end`.
class LogAxis {
  public:
    LogAxis(double low, double high, double begin, double end);

    double place(double value) const;
    /// Powers of ten within; also 2 and 5 times these where there are less than three.
    std::vector<double> marks() const;

  private:
    double low_;
    double high_;
    double begin_;
    double end_;
};

/// A legend of one line or more: squares of colours and what they stand for. Gives the height that
/// it takes, also where nothing is drawn because `drawing` is nullptr.
double draw_legend(Drawing* drawing, Drawing::Point corner, double width,
                   const std::vector<std::pair<std::string, std::string>>& names_and_colours);

}  // namespace tasuki::report

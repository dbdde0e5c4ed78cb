#include "report/drawing.hpp"

#include <algorithm>
#include <cmath>

#include "report/markup.hpp"
#include "report/texts.hpp"

namespace tasuki::report {

namespace {

std::string pixels(double length) {
    return number_text(length, 1);
}

std::string attribute(std::string_view name, std::string_view value) {
    return " " + std::string(name) + "=\"" + escaped(value) + "\"";
}

std::string place(Drawing::Point at, std::string_view x, std::string_view y) {
    return attribute(x, pixels(at.x)) + attribute(y, pixels(at.y));
}

std::string ending(std::string_view name, std::string_view remark) {
    if (remark.empty()) return "/>\n";
    return "><title>" + escaped(remark) + "</title></" + std::string(name) + ">\n";
}

}  // namespace

Drawing::Drawing(double width, double height, std::string_view title) {
    text_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"" +
            attribute("viewBox", "0 0 " + pixels(width) + " " + pixels(height)) +
            attribute("width", pixels(width)) + attribute("height", pixels(height)) +
            attribute("aria-label", title) + ">\n";
}

void Drawing::rectangle(Point corner, double width, double height, std::string_view colour,
                        std::string_view remark) {
    text_ += "<rect" + place(corner, "x", "y") + attribute("width", pixels(width)) +
             attribute("height", pixels(height)) + attribute("fill", colour) +
             ending("rect", remark);
}

void Drawing::line(Point from, Point to, std::string_view colour, std::string_view dashes) {
    text_ += "<line" + place(from, "x1", "y1") + place(to, "x2", "y2") +
             attribute("stroke", colour) +
             (dashes.empty() ? "" : attribute("stroke-dasharray", dashes)) + ending("line", "");
}

void Drawing::curve(const std::vector<Point>& points, std::string_view colour) {
    std::string places;
    for (const Point& point : points) {
        places += (places.empty() ? "" : " ") + pixels(point.x) + "," + pixels(point.y);
    }
    text_ += "<polyline fill=\"none\" stroke-width=\"1.5\" stroke-linejoin=\"round\"" +
             attribute("stroke", colour) + attribute("points", places) + ending("polyline", "");
}

void Drawing::dot(Point centre, double radius, std::string_view colour, std::string_view remark) {
    text_ += "<circle" + place(centre, "cx", "cy") + attribute("r", pixels(radius)) +
             attribute("fill", colour) + " fill-opacity=\"0.8\"" + ending("circle", remark);
}

void Drawing::text(Point at, Anchor anchor, std::string_view text, std::string_view colour) {
    const std::string_view where = anchor == Anchor::start    ? "start"
                                   : anchor == Anchor::middle ? "middle"
                                                              : "end";
    text_ += "<text font-size=\"11\" font-family=\"system-ui, sans-serif\"" + place(at, "x", "y") +
             attribute("text-anchor", where) + attribute("fill", colour) + ">" + escaped(text) +
             "</text>\n";
}

LogAxis::LogAxis(double low, double high, double begin, double end)
    : low_(std::log10(low)),
      high_(std::max(std::log10(high), low_ + 1e-3)),
      begin_(begin),
      end_(end) {}

double LogAxis::place(double value) const {
    const double share = (std::log10(value) - low_) / (high_ - low_);
    return begin_ + std::clamp(share, 0.0, 1.0) * (end_ - begin_);
}

std::vector<double> LogAxis::marks() const {
    constexpr double nearly = 1e-9;
    std::vector<double> tens, all;
    for (double power = std::floor(low_); power <= high_; ++power) {
        for (const double factor : {1.0, 2.0, 5.0}) {
            const double value = factor * std::pow(10, power);
            const double place = std::log10(value);
            if (place < low_ - nearly || place > high_ + nearly) continue;
            all.push_back(value);
            if (factor == 1) tens.push_back(value);
        }
    }
    return tens.size() < 3 ? all : tens;
}

double draw_legend(Drawing* drawing, Drawing::Point corner, double width,
                   const std::vector<std::pair<std::string, std::string>>& names_and_colours) {
    constexpr double line_height = 16;
    constexpr double square = 10;
    constexpr double letter = 6.3;  // about, of that size
    double x = corner.x;
    double y = corner.y;
    for (const auto& [name, colour] : names_and_colours) {
        const double needed = square + 22 + letter * static_cast<double>(name.size());
        if (x > corner.x && x + needed > corner.x + width) {
            x = corner.x;
            y += line_height;
        }
        if (drawing != nullptr) {
            drawing->rectangle({x, y}, square, square, colour);
            drawing->text({x + square + 5, y + square - 1}, Drawing::Anchor::start, name);
        }
        x += needed;
    }
    return y - corner.y + line_height;
}

}  // namespace tasuki::report

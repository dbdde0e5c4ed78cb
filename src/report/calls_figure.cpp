#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "report/colours.hpp"
#include "report/drawing.hpp"
#include "report/figures.hpp"
#include "report/texts.hpp"

namespace tasuki::report {

namespace {

using Point = Drawing::Point;
using Anchor = Drawing::Anchor;

constexpr double width = 760;
constexpr double left = 70;
constexpr double right = 748;
constexpr double strip_top = 6;  // the strip of algorithms
constexpr double strip_height = 14;
constexpr double plot_top = 30;
constexpr double plot_bottom = 150;
constexpr double legend_top = 184;
constexpr const char* of_curve = "#333";
constexpr const char* of_host = "#57606a";
constexpr const char* of_prediction = "#b2182b";

/// Seconds; unknown where there is none.
double host_seconds(const SizeRecord& size) {
    const auto& decision = size.course.decision;
    const CandidateRecord* host = decision ? decision->find("native") : nullptr;
    return host != nullptr ? host->measured : unknown;
}

double predicted_seconds(const SizeRecord& size) {
    const auto& decision = size.course.decision;
    const CandidateRecord* winner = decision ? decision->find(decision->winner) : nullptr;
    return winner != nullptr ? winner->predicted : unknown;
}

std::uint64_t last_call(const Course& course) {
    return course.spans.back().first + course.spans.back().calls - 1;
}

LogAxis axis_of_seconds(const SizeRecord& size) {
    double low = INFINITY;
    double high = 0;
    const auto take = [&](double seconds) {
        if (!(seconds > 0)) return;
        low = std::min(low, seconds);
        high = std::max(high, seconds);
    };
    for (const TimePoint& point : size.course.points) take(point.mean);
    take(host_seconds(size));
    take(predicted_seconds(size));
    if (high == 0) low = high = 1;
    return {0.8 * low, 1.25 * high, plot_bottom, plot_top};
}

void draw_axes(Drawing& drawing, const LogAxis& calls, const LogAxis& seconds) {
    for (const double mark : seconds.marks()) {
        const double y = seconds.place(mark);
        drawing.line({left, y}, {right, y}, colour_of_grid);
        drawing.text({left - 6, y + 4}, Anchor::end, short_duration_text(mark));
    }
    for (const double mark : calls.marks()) {
        const double x = calls.place(mark);
        drawing.line({x, plot_bottom}, {x, plot_bottom + 4}, of_curve);
        drawing.text({x, plot_bottom + 16}, Anchor::middle, count_text(mark));
    }
    drawing.line({left, plot_bottom}, {right, plot_bottom}, of_curve);
    drawing.text({right, plot_bottom + 29}, Anchor::end, "number of the call");
}

/// Where a call would stand that takes so long; nothing where that is not known.
void draw_level(Drawing& drawing, const LogAxis& axis, double seconds, const char* colour,
                const char* dashes) {
    if (!(seconds > 0)) return;
    const double y = axis.place(seconds);
    drawing.line({left, y}, {right, y}, colour, dashes);
}

}  // namespace

std::string calls_figure(const SizeRecord& size, const Colours& colours) {
    const Course& course = size.course;
    std::vector<std::pair<std::string, std::string>> legend;
    for (const Span& span : course.spans) {
        const std::string& name = course.names[span.algorithm];
        std::pair entry(name, colours.of(name));
        if (std::ranges::find(legend, entry) == legend.end()) legend.push_back(entry);
    }
    if (host_seconds(size) > 0) {
        legend.emplace_back("dashed: MPI library's own, measured", of_host);
    }
    if (predicted_seconds(size) > 0) {
        legend.emplace_back("dotted: in use, predicted", of_prediction);
    }
    const double height = legend_top + draw_legend(nullptr, {0, 0}, right - left, legend);
    Drawing drawing(width, height, title_of(size) + ": algorithm and time from call to call");
    const double end = static_cast<double>(last_call(course)) + 1;
    const LogAxis calls(1, end, left, right);
    const LogAxis seconds = axis_of_seconds(size);

    drawing.text({left - 6, strip_top + 11}, Anchor::end, "algorithm");
    for (const Span& span : course.spans) {
        const auto first = static_cast<double>(span.first);
        const double from = calls.place(first);
        const double to = calls.place(first + static_cast<double>(span.calls));
        const std::string& name = course.names[span.algorithm];
        drawing.rectangle({from, strip_top}, to - from, strip_height, colours.of(name),
                          name + ": calls " + std::to_string(span.first) + " to " +
                              std::to_string(span.first + span.calls - 1));
    }
    draw_axes(drawing, calls, seconds);
    draw_level(drawing, seconds, host_seconds(size), of_host, "6 3");
    draw_level(drawing, seconds, predicted_seconds(size), of_prediction, "2 3");
    std::vector<Point> curve;
    for (std::size_t i = 0; i < course.points.size(); ++i) {
        const double first = static_cast<double>(course.points[i].first);
        const double next =
            i + 1 < course.points.size() ? static_cast<double>(course.points[i + 1].first) : end;
        const double y = seconds.place(std::max(course.points[i].mean, 1e-12));
        curve.push_back({calls.place(first), y});
        curve.push_back({calls.place(next), y});
    }
    drawing.curve(curve, of_curve);
    draw_legend(&drawing, {left, legend_top}, right - left, legend);
    return drawing.take();
}

}  // namespace tasuki::report

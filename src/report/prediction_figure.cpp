#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "report/colours.hpp"
#include "report/drawing.hpp"
#include "report/figures.hpp"
#include "report/texts.hpp"

namespace tasuki::report {

namespace {

using Point = Drawing::Point;
using Anchor = Drawing::Anchor;

constexpr double width = 430;
constexpr double height = 400;
constexpr double left = 70;
constexpr double right = 415;
constexpr double top = 12;
constexpr double bottom = 345;

struct Compared {
    double predicted;
    double measured;
    bool is_winner;
    std::string remark;
};

std::vector<Compared> all_compared(const RunRecord& run) {
    std::vector<Compared> found;
    for (const CommunicatorRecord& communicator : run.communicators) {
        for (const SizeRecord& size : communicator.sizes) {
            if (!size.course.decision) continue;
            for (const CandidateRecord& candidate : size.course.decision->candidates) {
                if (!(candidate.predicted > 0) || !(candidate.measured > 0)) continue;
                found.push_back({candidate.predicted, candidate.measured,
                                 candidate.fate == Fate::winner,
                                 title_of(size) + ", " + candidate.name + ": predicted " +
                                     duration_text(candidate.predicted) + ", measured " +
                                     duration_text(candidate.measured)});
            }
        }
    }
    // Winners are drawn above the others.
    std::ranges::stable_sort(found, {}, &Compared::is_winner);
    return found;
}

}  // namespace

std::string prediction_figure(const RunRecord& run) {
    const std::vector<Compared> all = all_compared(run);
    if (all.empty()) return {};
    double low = INFINITY;
    double high = 0;
    for (const Compared& one : all) {
        low = std::min({low, one.predicted, one.measured});
        high = std::max({high, one.predicted, one.measured});
    }
    const LogAxis x(0.8 * low, 1.25 * high, left, right);
    const LogAxis y(0.8 * low, 1.25 * high, bottom, top);
    Drawing drawing(width, height, "Predicted against measured time of candidates");
    for (const double mark : x.marks()) {
        drawing.line({x.place(mark), top}, {x.place(mark), bottom}, colour_of_grid);
        drawing.line({left, y.place(mark)}, {right, y.place(mark)}, colour_of_grid);
        drawing.text({x.place(mark), bottom + 15}, Anchor::middle, short_duration_text(mark));
        drawing.text({left - 6, y.place(mark) + 4}, Anchor::end, short_duration_text(mark));
    }
    drawing.line({left, bottom}, {right, top}, "#8a8f95", "4 3");
    for (const Compared& one : all) {
        drawing.dot({x.place(one.predicted), y.place(one.measured)}, 3.5,
                    one.is_winner ? blue : orange, one.remark);
    }
    drawing.text({(left + right) / 2, bottom + 31}, Anchor::middle,
                 "predicted (up: measured; on the line they are equal)");
    draw_legend(&drawing, {left, bottom + 40}, right - left,
                {{"in use", blue}, {"other candidates", orange}});
    return drawing.take();
}

}  // namespace tasuki::report

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "report/drawing.hpp"
#include "report/figures.hpp"
#include "report/texts.hpp"

namespace tasuki::report {

namespace {

using Point = Drawing::Point;
using Anchor = Drawing::Anchor;

constexpr std::size_t most_bars = 16;
constexpr double width = 760;
constexpr double left = 210;  // of the bars
constexpr double right = 560;
constexpr double bar_distance = 22;
constexpr double bar_height = 14;

/// What took less of a bar is drawn together.
constexpr double least_share = 0.01;
constexpr const char* name_of_rest = "others, tried";
constexpr const char* colour_of_rest = "#e6e2d8";

struct Bar {
    const SizeRecord* size;
    std::size_t communicator;  // from 1 on
};

double seconds_of(const Bar& bar) {
    return bar.size->seconds.sum / bar.size->ranks;
}

std::vector<Bar> longest_bars(const RunRecord& run) {
    std::vector<Bar> bars;
    for (std::size_t i = 0; i < run.communicators.size(); ++i) {
        for (const SizeRecord& size : run.communicators[i].sizes) bars.push_back({&size, i + 1});
    }
    std::ranges::stable_sort(bars, std::greater{}, seconds_of);
    bars.resize(std::min(bars.size(), most_bars));
    return bars;
}

/// Of all ranks.
std::vector<AlgorithmUse> parts_of(const Bar& bar) {
    std::vector<AlgorithmUse> parts;
    AlgorithmUse rest{name_of_rest, 0, 0};
    for (const AlgorithmUse& use : bar.size->algorithms) {
        if (use.seconds >= least_share * bar.size->seconds.sum) {
            parts.push_back(use);
        } else {
            rest.calls += use.calls;
            rest.seconds += use.seconds;
        }
    }
    if (rest.calls > 0) parts.push_back(rest);
    return parts;
}

std::string colour_of(const AlgorithmUse& part, const Colours& colours) {
    return part.name == name_of_rest ? colour_of_rest : colours.of(part.name);
}

std::vector<std::pair<std::string, std::string>> legend_of(const std::vector<Bar>& bars,
                                                           const Colours& colours) {
    std::vector<std::pair<std::string, std::string>> legend;
    for (const Bar& bar : bars) {
        for (const AlgorithmUse& part : parts_of(bar)) {
            std::pair entry(part.name, colour_of(part, colours));
            if (std::ranges::find(legend, entry) == legend.end()) legend.push_back(entry);
        }
    }
    return legend;
}

}  // namespace

std::string title_of(const SizeRecord& size) {
    if (size.size == SizeRecord::any_size) return size.collective + ", any size";
    if (size.collective == "barrier") return size.collective;
    return size.collective + " " + bytes_text(static_cast<double>(size.size));
}

std::string time_figure(const RunRecord& run, const Colours& colours) {
    const std::vector<Bar> bars = longest_bars(run);
    if (bars.empty() || seconds_of(bars.front()) <= 0) return {};
    const auto legend = legend_of(bars, colours);
    const double legend_top = 8 + bar_distance * static_cast<double>(bars.size());
    const double height = legend_top + draw_legend(nullptr, {0, 0}, width, legend) + 4;
    Drawing drawing(width, height, "Time in collectives by size class and algorithm");
    double y = 4;
    for (const Bar& bar : bars) {
        const double text_y = y + bar_height - 3;
        drawing.text({left - 8, text_y}, Anchor::end,
                     title_of(*bar.size) + " · " + std::to_string(bar.communicator));
        double x = left;
        for (const AlgorithmUse& use : parts_of(bar)) {
            const double seconds = use.seconds / bar.size->ranks;
            const double length = (right - left) * seconds / seconds_of(bars.front());
            drawing.rectangle({x, y}, length, bar_height, colour_of(use, colours),
                              use.name + ": " + duration_text(seconds) + " in " +
                                  count_text(use.calls / bar.size->ranks) + " calls");
            x += length;
        }
        drawing.text({x + 8, text_y}, Anchor::start,
                     duration_text(seconds_of(bar)) + ", " +
                         count_text(bar.size->calls / bar.size->ranks) + " calls");
        y += bar_distance;
    }
    draw_legend(&drawing, {8, legend_top}, width - 16, legend);
    return drawing.take();
}

}  // namespace tasuki::report

#include "report/page.hpp"

#include <algorithm>
#include <functional>
#include <string_view>
#include <vector>

#include "report/figures.hpp"
#include "report/markup.hpp"
#include "report/record_json.hpp"
#include "report/summary.hpp"
#include "report/tables.hpp"
#include "report/texts.hpp"

namespace tasuki::report {

namespace {

/// Drawings of single size classes; tables have them all.
constexpr std::size_t most_course_figures = 12;

constexpr std::string_view style = R"(
:root { color-scheme: light; }
html { font-size: 15px; }
body { font: 1rem/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; color: #1f2328;
  background: #fff; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: .2rem; }
h2 { font-size: 1.2rem; margin-top: 2.2rem; border-bottom: 1px solid #d0d7de;
  padding-bottom: .2rem; }
h3 { font-size: 1rem; margin: 1.4rem 0 .3rem; }
table { border-collapse: collapse; margin: .5rem 0 1rem; font-size: .86rem; }
th, td { text-align: left; vertical-align: top; padding: .2rem .7rem .2rem 0;
  border-bottom: 1px solid #e6e9ec; }
th { color: #57606a; font-weight: 600; }
td:first-child { white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.tiles { display: flex; flex-wrap: wrap; gap: .7rem; margin: 1.2rem 0; }
.tile { border: 1px solid #d0d7de; border-radius: .4rem; padding: .5rem .9rem; }
.tile b { display: block; font-size: 1.25rem; }
.tile span, .note, figcaption { color: #57606a; font-size: .82rem; }
.wide { overflow-x: auto; }
figure { margin: .8rem 0 1.2rem; }
svg { max-width: 100%; height: auto; }
code { font-size: .9em; overflow-wrap: anywhere; }
@media print { html { font-size: 10px; } body { max-width: none; margin: 0; padding: 0; }
  .wide { overflow: visible; }
  figure, tr, .tile { break-inside: avoid; } h2, h3 { break-after: avoid; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
@page { margin: 1.5cm; }
)";

std::string tile(const std::string& value, std::string_view name) {
    return "<div class=\"tile\"><b>" + escaped(value) + "</b><span>" + std::string(name) +
           "</span></div>\n";
}

std::string tiles(const RunRecord& run) {
    const double seconds = mean_seconds(run);
    std::string text =
        "<div class=\"tiles\">\n" +
        tile(duration_text(run.facts.seconds), "from MPI_Init to MPI_Finalize") +
        tile(duration_text(seconds) + " (" + percent_text(seconds / run.facts.seconds) + ")",
             "in collectives, mean of the ranks") +
        tile(duration_text(run.seconds.most), "in collectives, the longest rank");
    const LearntTogether learnt = learnt_together(run);
    if (learnt.decisions > 0) {
        text += tile(duration_text(learnt.saved_seconds),
                     "saved against the MPI library's own, learning included") +
                tile(duration_text(learnt.learning_seconds), "cost of learning, part of that");
    }
    return text + "</div>\n";
}

std::string figure(const std::string& drawing, std::string_view caption) {
    return "<figure>" + drawing + "<figcaption>" + std::string(caption) +
           "</figcaption></figure>\n";
}

std::string heading_of(const CommunicatorRecord& communicator, std::size_t number) {
    std::string text = "Communicator " + std::to_string(number) + ": ";
    if (!communicator.name.empty()) text += communicator.name + ", ";
    if (communicator.communicators > 1) {
        text += std::to_string(communicator.communicators) + " alike of ";
    }
    text += std::to_string(communicator.ranks) + (communicator.ranks == 1 ? " rank" : " ranks");
    if (!communicator.placement.empty()) text += ", placed " + communicator.placement;
    if (communicator.shares_cores.value_or(false)) text += ", sharing cores";
    return "<h2>" + escaped(text) + "</h2>\n";
}

/// The size classes whose course is drawn: where there is something to see, and those that took
/// most time.
std::vector<const SizeRecord*> drawn(const RunRecord& run) {
    std::vector<const SizeRecord*> sizes;
    for (const CommunicatorRecord& communicator : run.communicators) {
        for (const SizeRecord& size : communicator.sizes) {
            if (size.course.decision || size.course.spans.size() > 1) sizes.push_back(&size);
        }
    }
    std::ranges::stable_sort(sizes, std::greater{}, [](const SizeRecord* size) {
        return size->seconds.sum / size->ranks;
    });
    sizes.resize(std::min(sizes.size(), most_course_figures));
    return sizes;
}

std::string course_text(const SizeRecord& size, const Colours& colours) {
    std::string text = "<h3>" + escaped(title_of(size)) + "</h3>\n" +
                       figure(calls_figure(size, colours),
                              "Above: the algorithm that ran. Below: the time of a call as rank 0 "
                              "saw it, mean of ever more calls.");
    if (size.course.decision) {
        text += learning_text(*size.course.decision, size.course.phase) +
                candidates_table(*size.course.decision);
    }
    return text;
}

std::string communicator_text(const CommunicatorRecord& communicator, std::size_t number,
                              const std::vector<const SizeRecord*>& drawn, const Colours& colours) {
    std::string text = heading_of(communicator, number) + sizes_table(communicator) +
                       learnt_table(communicator) + parameters_text(communicator) +
                       traffic_table(communicator.traffic);
    for (const SizeRecord& size : communicator.sizes) {
        if (std::ranges::find(drawn, &size) != drawn.end()) text += course_text(size, colours);
    }
    return text;
}

constexpr std::string_view notes = R"(<h2>How to read this</h2>
<ul class="note">
<li>Sizes are classes, two an octave: the class of 4 KiB has calls from 4 KiB to below 6 KiB. They
count the bytes of a block in all-to-all, gather and scatter, of all blocks in allgather and
reduce-scatter, and of the vector elsewhere. Bytes are what a rank passes in all calls.</li>
<li>A placement of 2x4 is two nodes with four ranks each.</li>
<li>Times are from the call to its return, waiting for late ranks included. Means are over the ranks
that made such calls.</li>
<li>Communicators of equal size that their ranks came to use in the same order (the rows of a grid of
ranks, its columns) are one entry; courses are then those of the one with the lowest rank.</li>
<li>Saved and cost are computed from the calls that were timed, against the time of the MPI library's
own algorithm as it was measured in the run.</li>
<li>Parameters are built-in (constants of another machine), quick (these, scaled by messages between
pairs of ranks that were measured in the run, the shorter of a few), or measured (by <code>tasuki model
measure</code>). What a quick measurement took is charged to learning.</li>
<li>Calls that were left to the MPI library's own algorithms send messages that nobody counts
here.</li>
<li>The numbers stand as JSON in the source of this page.</li>
</ul>
)";

}  // namespace

std::string page(const RunRecord& run) {
    const Colours colours(run);
    std::string text =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width, "
        "initial-scale=1\"/>\n<title>Tasuki: " +
        escaped(run.facts.command) + "</title>\n<style>" + std::string(style) +
        "</style>\n</head>\n<body>\n<h1>Collectives of a run under Tasuki</h1>\n" +
        facts_table(run.facts) + tiles(run);
    if (const std::string drawing = time_figure(run, colours); !drawing.empty()) {
        text += figure(drawing,
                       "The size classes that took most time, mean of the ranks, by the algorithms "
                       "that ran; <i>native</i> is the MPI library's own. Behind the dot: the "
                       "number of the communicator below.");
    } else {
        text += "<p>No collective was called that Tasuki counts.</p>\n";
    }
    const auto figures = drawn(run);
    for (std::size_t i = 0; i < run.communicators.size(); ++i) {
        text += communicator_text(run.communicators[i], i + 1, figures, colours);
    }
    if (run.left_out_communicators > 0) {
        text += "<p>" + std::to_string(run.left_out_communicators) +
                " communicators that took less time are left out.</p>\n";
    }
    if (const std::string drawing = prediction_figure(run); !drawing.empty()) {
        text += "<h2>Predicted and measured</h2>\n" +
                figure(drawing,
                       "Each candidate that was predicted and measured. Predictions put candidates "
                       "in order; what is far from the line was measured all the same.");
    }
    text += refused_table(run.refused);
    text += notes;
    text += "<script type=\"application/json\" id=\"record\">\n" + record_json(run) +
            "</script>\n</body>\n</html>\n";
    return text;
}

}  // namespace tasuki::report

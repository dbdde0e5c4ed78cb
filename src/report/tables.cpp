#include "report/tables.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <string_view>

#include "report/figures.hpp"
#include "report/markup.hpp"
#include "report/summary.hpp"
#include "report/texts.hpp"

namespace tasuki::report {

namespace {

std::string wide(std::string table) {
    return "<div class=\"wide\">" + std::move(table) + "</div>\n";
}

std::string paragraph(const std::string& text) {
    return "<p class=\"note\">" + text + "</p>\n";
}

/// Those that ran most, with the share of calls that each has had.
std::string algorithms_of(const SizeRecord& size) {
    constexpr double least_share = 0.01;
    std::vector<AlgorithmUse> uses = size.algorithms;
    std::ranges::stable_sort(uses, std::greater{}, &AlgorithmUse::calls);
    if (uses.size() == 1) return escaped(uses.front().name);
    std::string text;
    std::size_t rest = 0;
    for (const AlgorithmUse& use : uses) {
        const double share = use.calls / size.calls;
        if (share < least_share) {
            ++rest;
            continue;
        }
        text += (text.empty() ? "" : ", ") + escaped(use.name) + " (" + percent_text(share) + ")";
    }
    return rest == 0 ? text : text + ", " + std::to_string(rest) + " more tried";
}

std::string break_even_text(const Decision& decision) {
    const double calls = decision.break_even_calls();
    return std::isfinite(calls) ? count_text(std::ceil(calls)) : "-";
}

std::string_view fate_text(Fate fate) {
    switch (fate) {
        case Fate::waiting:
            return "not measured in full yet";
        case Fate::winner:
            return "in use";
        case Fate::slower:
            return "measured, slower";
        case Fate::hopeless:
            return "given up after the first look";
        case Fate::predicted:
            return "cut by prediction";
        case Fate::failed:
            return "did not run when it was asked to";
    }
    return "";
}

struct PathTexts {
    const char* name;
    const char* meaning;
};
constexpr std::array<PathTexts, memory::paths> path_texts = {{
    {"memory, small", "in a record of the receiver's queue"},
    {"memory, eager", "through blocks of shared memory: two copies"},
    {"memory, written", "the receiver came first: one copy, by the sender"},
    {"memory, read", "the sender came first: one copy, by the receiver"},
    {"memory, pulled", "direct copies are slower, or denied: two copies"},
    {"memory, posted", "written once, read by all who want it"},
}};

}  // namespace

std::string facts_table(const RunFacts& facts) {
    Table table({{"", false}, {"", false}});
    const auto row = [&](const char* name, const std::string& value) {
        if (!value.empty()) table.row({name, value});
    };
    row("Program", "<code>" + escaped(facts.command) + "</code>");
    row("Began", escaped(facts.began));
    row("Ranks", std::to_string(facts.ranks));
    row("First node",
        escaped(facts.node) + (facts.processor.empty() ? "" : ", " + escaped(facts.processor)));
    row("MPI library", escaped(facts.library));
    row("Tasuki", escaped(facts.tasuki));
    row("Settings", facts.settings.empty() ? "" : "<code>" + escaped(facts.settings) + "</code>");
    return table.take();
}

std::string sizes_table(const CommunicatorRecord& communicator) {
    Table table({{"collective", false},
                 {"calls"},
                 {"bytes"},
                 {"time, mean"},
                 {"time, longest"},
                 {"a call"},
                 {"algorithms", false}});
    for (const SizeRecord& size : communicator.sizes) {
        table.row({escaped(title_of(size)), count_text(size.calls / size.ranks),
                   bytes_text(std::round(size.bytes / size.ranks)),
                   duration_text(size.seconds.sum / size.ranks), duration_text(size.seconds.most),
                   duration_text(size.seconds.sum / size.calls), algorithms_of(size)});
    }
    std::string text = wide(table.take());
    if (communicator.left_out_seconds > 0) {
        text += paragraph("Further size classes took " +
                          duration_text(communicator.left_out_seconds / communicator.ranks) +
                          " of each rank.");
    }
    return text;
}

std::string learnt_table(const CommunicatorRecord& communicator) {
    Table table({{"learnt", false},
                 {"in use", false},
                 {"since call"},
                 {"ahead of the next"},
                 {"predicted"},
                 {"measured"},
                 {"saved"},
                 {"learning cost"},
                 {"break-even, calls"}});
    bool is_empty = true;
    for (const SizeRecord& size : communicator.sizes) {
        if (!size.course.decision) continue;
        is_empty = false;
        const Decision& decision = *size.course.decision;
        const CandidateRecord* winner = decision.find(decision.winner);
        const bool is_decided = size.course.phase == "running";
        table.row({escaped(title_of(size)),
                   escaped(decision.winner) + (is_decided ? "" : " (still learning)"),
                   count_text(static_cast<double>(decision.switched_at)),
                   is_decided ? percent_text(decision.margin) : "-",
                   duration_text(winner->predicted), duration_text(winner->measured),
                   duration_text(decision.saved_seconds), duration_text(decision.learning_seconds),
                   break_even_text(decision)});
    }
    return is_empty ? "" : wide(table.take());
}

std::string parameters_text(const CommunicatorRecord& communicator) {
    std::map<std::string, int> sources;
    for (const SizeRecord& size : communicator.sizes) {
        if (size.course.decision && !size.course.parameters.empty()) {
            ++sources[size.course.parameters];
        }
    }
    std::string text;
    for (const auto& [source, sizes] : sources) {
        text += (text.empty() ? "Candidates were predicted by parameters that are " : ", and ") +
                escaped(source) + " (" + std::to_string(sizes) +
                (sizes == 1 ? " size class)" : " size classes)");
    }
    if (!text.empty()) text += ". ";
    if (communicator.quick && !communicator.quick->times.empty()) {
        const QuickRecord& quick = *communicator.quick;
        text += "A quick measurement took " + duration_text(quick.seconds) + " of " +
                duration_text(quick.paid_by_seconds) + " spent until call " +
                count_text(quick.call) + (quick.is_done ? "" : ", and was not done") +
                ". A message took, one way:";
        for (const QuickTime& time : quick.times) {
            text += " " + duration_text(time.seconds) + " (" + escaped(time.pairs) + ", " +
                    bytes_text(static_cast<double>(time.bytes)) + ")";
        }
        text += ".";
    }
    return text.empty() ? "" : paragraph(text);
}

std::string traffic_table(const Traffic& traffic) {
    const memory::Counters& counters = traffic.memory;
    const double in_memory = messages_in_memory(counters);
    if (in_memory == 0 && traffic.host_messages == 0) return {};
    Table table(
        {{"messages of Tasuki's algorithms went", false}, {"messages"}, {"bytes"}, {"", false}});
    const auto row = [&](const char* name, std::uint64_t messages, std::uint64_t bytes,
                         const char* meaning) {
        if (messages == 0) return;
        table.row({name, count_text(static_cast<double>(messages)),
                   bytes_text(static_cast<double>(bytes)), meaning});
    };
    for (std::size_t path = 0; path < memory::paths; ++path) {
        row(path_texts[path].name, counters.messages[path], counters.bytes[path],
            path_texts[path].meaning);
    }
    row("MPI library", traffic.host_messages, traffic.host_bytes, "by its point-to-point calls");
    std::string text = table.take();
    if (in_memory == 0) return text;
    const double waits = counters.asleep_seconds + counters.awake_seconds;
    const double copies = copies_per_byte(counters);
    std::string sentence;
    if (std::isfinite(copies)) {
        sentence = "Inside nodes a byte was copied " + number_text(copies, 2) + " times. ";
    }
    sentence += "Ranks waited " + duration_text(waits) +
                " there, all together: " + duration_text(counters.awake_seconds) + " awake and " +
                duration_text(counters.asleep_seconds) + " asleep, in " +
                count_text(static_cast<double>(counters.sleeps)) + " sleeps.";
    return text + paragraph(sentence);
}

std::string learning_text(const Decision& decision, const std::string& phase) {
    std::string text;
    if (phase != "running") text += "The run ended while this was " + escaped(phase) + ". ";
    if (decision.relearnings > 0 || decision.common_drifts > 0) {
        text += "Times that it was learnt again: " + std::to_string(decision.relearnings) +
                ", that everything changed alike: " + std::to_string(decision.common_drifts) + ".";
    }
    return text.empty() ? "" : paragraph(text);
}

std::string candidates_table(const Decision& decision) {
    std::vector<CandidateRecord> candidates = decision.candidates;
    std::ranges::stable_sort(candidates, {}, [](const CandidateRecord& candidate) {
        return std::isnan(candidate.measured) ? HUGE_VAL : candidate.measured;
    });
    Table table({{"candidate", false},
                 {"predicted"},
                 {"measured"},
                 {"measured / predicted"},
                 {"samples"},
                 {"", false}});
    std::string cut;
    for (const CandidateRecord& candidate : candidates) {
        if (candidate.fate == Fate::predicted && std::isnan(candidate.measured)) {
            cut += (cut.empty() ? "Cut by prediction: " : ", ") + escaped(candidate.name) + " (" +
                   duration_text(candidate.predicted) + ")";
            continue;
        }
        const double ratio = candidate.measured / candidate.predicted;
        table.row({escaped(candidate.name), duration_text(candidate.predicted),
                   duration_text(candidate.measured),
                   std::isfinite(ratio) ? number_text(ratio, 2) : "-",
                   std::to_string(candidate.samples), std::string(fate_text(candidate.fate))});
    }
    return wide(table.take()) + (cut.empty() ? "" : paragraph(cut + "."));
}

std::string refused_table(const std::vector<RefusedCalls>& refused) {
    if (refused.empty()) return {};
    Table table({{"collective", false}, {"calls of all ranks"}, {"because", false}});
    for (const RefusedCalls& calls : refused) {
        table.row({escaped(calls.collective), count_text(calls.calls), escaped(calls.reason)});
    }
    return "<h2>Left to the MPI library, and why</h2>\n" + table.take();
}

}  // namespace tasuki::report

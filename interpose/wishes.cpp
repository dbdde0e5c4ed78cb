#include "interpose/wishes.hpp"

#include <algorithm>
#include <list>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <utility>

#include "interpose/communicator_mode.hpp"
#include "interpose/reduction_check.hpp"
#include "interpose/reduction_mode.hpp"
#include "interpose/run_report.hpp"
#include "schedule/whole_number.hpp"

namespace tasuki::interpose {

constinit Switch switches[collectives] = {};
constinit std::atomic<bool> some_mode_is_on{false};
constinit std::atomic<std::uint64_t> known_call_changes{0};
const Wish native_wish;

namespace {

std::mutex mutex;          // guards what follows, and who writes switches
std::list<Wish> all_made;  // a list, because addresses are kept
bool are_allowed = false;

const Wish* unique(Wish wish) {
    if (!wish.is_automatic && wish.algorithm == nullptr) return nullptr;
    const auto same = std::ranges::find(all_made, wish);
    return same != all_made.end() ? &*same : &all_made.emplace_back(std::move(wish));
}

void set_switch(std::size_t collective) {
    forget_known_calls();
    const bool is_looked_at =
        is_reporting() || (checks_reductions() && is_reduction(Collective(collective)));
    switches[collective].is_on =
        are_allowed && (is_asked_for(Collective(collective)) || is_looked_at);
}

void set_all_switches() {
    some_mode_is_on = are_allowed && may_be_ours_by_mode(Collective::allreduce);
    for (std::size_t index = 0; index < collectives; ++index) set_switch(index);
}

/// The number of 1 to 100 behind `name`, if `word` is that.
std::optional<int> percent_of(std::string_view word, std::string_view name) {
    if (!word.starts_with(name)) return std::nullopt;
    const auto percent = whole_number<int>(word.substr(name.size()));
    return percent && *percent >= 1 && *percent <= 100 ? percent : std::nullopt;
}

std::optional<Grouping> grouping_of(std::string_view word) {
    constexpr std::string_view name = "grouping=";
    if (!word.starts_with(name)) return std::nullopt;
    for (const Grouping grouping :
         {Grouping::everything, Grouping::midpoint, Grouping::near_best}) {
        if (word.substr(name.size()) == name_of(grouping)) return grouping;
    }
    return std::nullopt;
}

/// What is said of a part of a wish that was not read.
std::string complaint_about(std::string_view word) {
    struct Parameter {
        std::string_view name, values;
    };
    constexpr Parameter parameters[] = {
        {"model", "0 or 1 (order candidates by prediction), 1 if not named"},
        {"kept", "0 or 1 (use and keep decisions), 1 if not named"},
        {"budget",
         "1 to 100 (percent of the collective's time that learning may cost), 1 if not named"},
        {"grouping",
         "near-best, midpoint or everything (which candidates are measured, by their predictions), "
         "near-best if not named"}};
    const std::string_view name = word.substr(0, word.find('='));
    std::string all;
    for (const Parameter& parameter : parameters) {
        if (parameter.name == name) {
            const bool has_value = name.size() < word.size();
            return "auto:" + std::string(name) + " cannot be \"" +
                   std::string(has_value ? word.substr(name.size() + 1) : "") + "\"; it is " +
                   std::string(parameter.values);
        }
        all += (all.empty() ? "" : "; ") + std::string(parameter.name) + "=" +
               std::string(parameter.values);
    }
    return "auto has no parameter \"" + std::string(name) + "\"; it has " + all;
}

Wish parse_automatic(std::string_view text) {
    Wish wish;
    wish.is_automatic = true;
    std::string_view rest = text.substr(std::min(text.size(), std::string_view("auto:").size()));
    while (!rest.empty()) {
        const auto comma = rest.find(',');
        const std::string_view word = rest.substr(0, comma);
        rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
        const bool value = word.ends_with("=1");
        if (word == "model=0" || word == "model=1") {
            wish.uses_model = value;
        } else if (word == "kept=0" || word == "kept=1") {
            wish.uses_kept_decisions = value;
        } else if (const std::optional<int> budget = percent_of(word, "budget=")) {
            wish.budget = budget;
        } else if (const std::optional<Grouping> grouping = grouping_of(word)) {
            wish.grouping = grouping;
        } else {
            throw std::invalid_argument(complaint_about(word));
        }
    }
    return wish;
}

}  // namespace

bool operator==(const Wish& a, const Wish& b) {
    return a.algorithm == b.algorithm && a.parameters == b.parameters && a.carrier == b.carrier &&
           a.is_automatic == b.is_automatic && a.uses_model == b.uses_model &&
           a.uses_kept_decisions == b.uses_kept_decisions && a.budget == b.budget &&
           a.grouping == b.grouping;
}

Wish parse_wish(std::string_view collective, std::string_view text) {
    if (text.substr(0, text.find(':')) == "auto") return parse_automatic(text);
    try {
        return {parse_choice(collective, text)};
    } catch (const std::invalid_argument& error) {
        throw std::invalid_argument(std::string(error.what()) + "; or auto, to have it learnt");
    }
}

bool is_asked_for(Collective collective) {
    return switches[static_cast<std::size_t>(collective)].wish != nullptr ||
           may_be_ours_by_mode(collective);
}

void set_wish(Collective collective, std::string_view text) {
    const auto index = static_cast<std::size_t>(collective);
    Wish wish = parse_wish(collective_names[index], text);
    const std::lock_guard lock(mutex);
    switches[index].wish = unique(std::move(wish));
    set_switch(index);
}

void allow_wishes(bool allowed) {
    const std::lock_guard lock(mutex);
    are_allowed = allowed;
    set_all_switches();
}

void renew_switches() {
    const std::lock_guard lock(mutex);
    set_all_switches();
}

bool wishes_are_allowed() {
    const std::lock_guard lock(mutex);
    return are_allowed;
}

}  // namespace tasuki::interpose

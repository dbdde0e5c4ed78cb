#include "interpose/choices.hpp"

#include <algorithm>
#include <list>
#include <mutex>

#include "interpose/switches.hpp"

namespace tasuki::interpose {

constinit std::atomic<bool> collective_is_on[collectives] = {};

namespace {

const Choice native;
std::mutex mutex;            // guards what follows, but for readers of current
std::list<Choice> all_made;  // a list, because addresses are kept
std::atomic<const Choice*> current[collectives] = {};
bool are_allowed = false;

const Choice* unique(Choice choice) {
    if (choice.algorithm == nullptr) return &native;
    const auto same = std::find_if(all_made.begin(), all_made.end(), [&](const Choice& other) {
        return other.algorithm == choice.algorithm && other.parameters == choice.parameters;
    });
    return same != all_made.end() ? &*same : &all_made.emplace_back(std::move(choice));
}

void set_switch(std::size_t collective) {
    collective_is_on[collective] = are_allowed && current_choice(Collective(collective)) != &native;
}

}  // namespace

const Choice* current_choice(Collective collective) {
    const Choice* choice = current[static_cast<std::size_t>(collective)];
    return choice == nullptr ? &native : choice;
}

void set_choice(Collective collective, std::string_view text) {
    const auto index = static_cast<std::size_t>(collective);
    Choice choice = parse_choice(collective_names[index], text);
    const std::lock_guard lock(mutex);
    current[index] = unique(std::move(choice));
    set_switch(index);
}

void allow_choices(bool allowed) {
    const std::lock_guard lock(mutex);
    are_allowed = allowed;
    for (std::size_t index = 0; index < collectives; ++index) set_switch(index);
}

bool choices_are_allowed() {
    const std::lock_guard lock(mutex);
    return are_allowed;
}

}  // namespace tasuki::interpose

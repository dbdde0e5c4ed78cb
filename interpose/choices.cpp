#include "interpose/choices.hpp"

#include <algorithm>
#include <list>
#include <mutex>

#include "interpose/switches.hpp"

namespace tasuki::interpose {

constinit Switch switches[collectives] = {};

namespace {

std::mutex mutex;            // guards what follows, and who writes switches
std::list<Choice> all_made;  // a list, because addresses are kept
bool are_allowed = false;

const Choice* unique(Choice choice) {
    if (choice.algorithm == nullptr) return nullptr;
    const auto same = std::find_if(all_made.begin(), all_made.end(), [&](const Choice& other) {
        return other.algorithm == choice.algorithm && other.parameters == choice.parameters;
    });
    return same != all_made.end() ? &*same : &all_made.emplace_back(std::move(choice));
}

void set_switch(std::size_t collective) {
    switches[collective].is_on = are_allowed && switches[collective].choice != nullptr;
}

}  // namespace

const Choice* current_choice(Collective collective) {
    static const Choice native;
    const Choice* choice = switches[static_cast<std::size_t>(collective)].choice;
    return choice == nullptr ? &native : choice;
}

void set_choice(Collective collective, std::string_view text) {
    const auto index = static_cast<std::size_t>(collective);
    Choice choice = parse_choice(collective_names[index], text);
    const std::lock_guard lock(mutex);
    switches[index].choice = unique(std::move(choice));
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

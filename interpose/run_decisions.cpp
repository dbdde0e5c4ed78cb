#include "interpose/run_decisions.hpp"

#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "select/digest.hpp"

namespace tasuki::interpose {

namespace {

/// As keys have it: numbers of ranks, and where they are.
using Shape = std::pair<std::int32_t, std::string>;

struct OfShape {
    DecisionBook book;
    RunDecisions told;  // the same, as it is handed out; empty after a change
};

std::mutex mutex;
std::map<Shape, OfShape> known;

Shape shape_of(const SelectionKey& key) {
    return {key.ranks, key.placement};
}

}  // namespace

void note_decision(const SelectionKey& key, const Decision& decision) {
    const std::lock_guard lock(mutex);
    OfShape& decisions = known[shape_of(key)];
    decisions.book.decisions.insert_or_assign(key, decision);
    decisions.told = {};
}

void note_decisions(const DecisionBook& told) {
    const std::lock_guard lock(mutex);
    for (const auto& [key, decision] : told.decisions) {
        OfShape& decisions = known[shape_of(key)];
        if (decisions.book.decisions.try_emplace(key, decision).second) decisions.told = {};
    }
}

RunDecisions decisions_of_run(const Placement& placement) {
    const std::lock_guard lock(mutex);
    const auto found = known.find(shape_of(make_key("", 0, placement, false)));
    if (found == known.end()) return {};
    auto& [book, told] = found->second;
    if (told.book == nullptr) {
        book.fingerprint = "this run";
        told.book = std::make_shared<const DecisionBook>(book);
        told.digest = Digest().add(decisions_text(book)).value();
    }
    return told;
}

}  // namespace tasuki::interpose

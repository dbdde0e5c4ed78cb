#include "interpose/learnt.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>

#include "interpose/process.hpp"
#include "interpose/say.hpp"
#include "select/decision_file.hpp"

namespace tasuki::interpose {

namespace {

struct Learnt {
    DecisionBook book;
    std::map<SelectionKey, std::uint64_t> calls;  // that the one whose decision it is has seen
    std::set<std::string> sources;                // of the parameters that were used
};

std::mutex mutex;
std::map<std::string, Learnt> all_learnt;  // by fingerprint

}  // namespace

void keep(const std::string& fingerprint, const SelectionKey& key, const Decision& decision,
          std::string_view parameters) {
    if (!process().settings.keeps_decisions) return;
    const std::lock_guard lock(mutex);
    auto& [book, most_calls, sources] = all_learnt[fingerprint];
    if (!parameters.empty()) sources.emplace(parameters);
    book.fingerprint = fingerprint;
    const auto [place, is_first] = book.decisions.try_emplace(key, decision);
    std::uint64_t& most = most_calls[key];
    if (!is_first) {
        Decision& kept = place->second;
        const Decision before = kept;
        if (decision.calls >= most) kept = decision;
        const Decision& other = decision.calls >= most ? before : decision;
        kept.calls += other.calls;
        kept.relearnings += other.relearnings;
        kept.common_drifts += other.common_drifts;
        kept.learning_seconds += other.learning_seconds;
        kept.saved_seconds += other.saved_seconds;
    }
    most = std::max(most, decision.calls);
}

void write_decisions() {
    const std::lock_guard lock(mutex);
    for (auto& [fingerprint, learnt] : all_learnt) {
        const std::filesystem::path path = decision_path(fingerprint);
        if (path.empty()) continue;
        std::string& parameters = learnt.book.parameters;
        for (const std::string& source : learnt.sources) {
            parameters += (parameters.empty() ? "" : ", ") + source;
        }
        const DecisionFileResult result = add_decisions(path, learnt.book);
        if (!result.message.empty()) say(result.message);
    }
    all_learnt.clear();
}

}  // namespace tasuki::interpose

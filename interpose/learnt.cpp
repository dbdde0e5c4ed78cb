#include "interpose/learnt.hpp"

#include <map>
#include <mutex>

#include "interpose/process.hpp"
#include "interpose/say.hpp"
#include "select/decision_file.hpp"

namespace tasuki::interpose {

namespace {

std::mutex mutex;
std::map<std::string, DecisionBook> books;  // by fingerprint

}  // namespace

void keep(const std::string& fingerprint, const SelectionKey& key, const Decision& decision) {
    if (!process().settings.keeps_decisions) return;
    const std::lock_guard lock(mutex);
    DecisionBook& book = books[fingerprint];
    book.fingerprint = fingerprint;
    Decision& kept = book.decisions[key];
    if (decision.calls >= kept.calls) kept = decision;
}

void write_decisions() {
    const std::lock_guard lock(mutex);
    for (const auto& [fingerprint, book] : books) {
        const std::filesystem::path path = decision_path(fingerprint);
        if (path.empty()) continue;
        const DecisionFileResult result = add_decisions(path, book);
        if (!result.message.empty()) say(result.message);
    }
    books.clear();
}

}  // namespace tasuki::interpose

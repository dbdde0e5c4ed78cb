#include "interpose/fallbacks.hpp"

#include <mutex>
#include <set>

#include "interpose/process.hpp"
#include "interpose/say.hpp"

namespace tasuki::interpose {

namespace {

std::mutex mutex;
std::set<std::string> told;  // one entry for each algorithm and reason, not for each call
int noted = 0;

}  // namespace

void note_fallback(const Choice& wanted, int ranks, const std::string& reason) {
    const std::string name =
        std::string(wanted.algorithm->collective) + "/" + std::string(wanted.algorithm->name);
    const std::lock_guard lock(mutex);
    ++noted;
    const bool speaks = process().world_rank == 0 || process().settings.is_verbose;
    if (speaks && told.insert(name + reason).second) {
        say(name + " does not run on a communicator of " + std::to_string(ranks) +
            " ranks: " + reason + "; the host MPI's own algorithm runs instead");
    }
}

void report_fallbacks() {
    // Every rank takes part, whatever it met; rank 0 has told what it met itself.
    int others = process().world_rank == 0 || process().settings.is_verbose ? 0 : noted;
    int sum = 0;
    PMPI_Reduce(&others, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (process().world_rank == 0 && sum > 0 && told.empty()) {
        say("the host MPI's own algorithm ran instead of the one asked for on communicators "
            "without rank 0 (" +
            std::to_string(sum) +
            " times a rank prepared one); "
            "TASUKI_VERBOSE=1 tells where and why");
    }
}

}  // namespace tasuki::interpose

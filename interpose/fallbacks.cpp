#include "interpose/fallbacks.hpp"

#include <atomic>

#include "interpose/communicator_mode.hpp"
#include "interpose/process.hpp"
#include "interpose/reduction_mode.hpp"
#include "interpose/say.hpp"

namespace tasuki::interpose {

namespace {

std::atomic<int> noted = 0;

std::string instead_of(const Choice& wanted) {
    for (std::size_t index = 0; index < collectives; ++index) {
        if (collective_names[index] == wanted.algorithm->collective &&
            may_be_ours_by_mode(Collective(index))) {
            return reduction_mode() != ReductionMode::off
                       ? "another algorithm of the canonical tree"
                       : "the host MPI's own algorithm, or by the communicator's mode another of "
                         "the "
                         "canonical tree,";
        }
    }
    return "the host MPI's own algorithm";
}

}  // namespace

void note_fallback(const Choice& wanted, int rank, int ranks, const std::string& reason) {
    const std::string name =
        std::string(wanted.algorithm->collective) + "/" + std::string(wanted.algorithm->name);
    if (rank == 0 && process().world_rank != 0) ++noted;
    const int world_rank = process().world_rank;
    // All ranks of a communicator meet it alike, so one of them tells it.
    if ((process().settings.is_verbose ? rank : world_rank) != 0) return;
    const std::string first =
        world_rank == 0 ? "" : " that begins with rank " + std::to_string(world_rank) + " of all";
    // For each algorithm and reason, not for each number of ranks.
    say_once(name + reason, name + " does not run on a communicator of " + std::to_string(ranks) +
                                " ranks" + first + ": " + reason + "; " + instead_of(wanted) +
                                " runs instead");
}

void report_fallbacks() {
    // Every rank takes part, whatever it met.
    const int mine = noted;
    int sum = 0;
    PMPI_Reduce(&mine, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (process().world_rank == 0 && sum > 0 && !process().settings.is_verbose) {
        say("the host MPI's own algorithm ran instead of the one asked for on " +
            std::to_string(sum) +
            " communicators that do not begin with rank 0; TASUKI_VERBOSE=1 says why");
    }
}

}  // namespace tasuki::interpose

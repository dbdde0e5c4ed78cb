#include "interpose/agreement.hpp"

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "interpose/abort_run.hpp"
#include "interpose/say.hpp"

namespace tasuki::interpose {

namespace {

constexpr int exit_code = 2;
constexpr int longest_text = 512;

/// FNV-1a, because ranks may run builds whose std::hash differ.
std::uint64_t fingerprint(std::string_view text) {
    std::uint64_t value = 0xcbf29ce484222325u;
    for (const char character : text) {
        value = (value ^ static_cast<unsigned char>(character)) * 0x100000001b3u;
    }
    return value;
}

[[noreturn]] void end_run() {
    PMPI_Finalize();
    std::exit(exit_code);
}

[[noreturn]] void give_up(double seconds) {
    end_run_saying(
        "MPI_Init waited " + std::to_string(static_cast<int>(seconds)) +
            " s for all ranks to compare their settings, and some did not answer: every rank has "
            "to be started by \"tasuki run\", and none of them may have stood aside (it says so "
            "then). TASUKI_START_TIMEOUT sets the seconds.",
        exit_code);
}

/// Waits without holding the core: the ranks that are waited for may need it.
void wait_or_give_up(MPI_Request& request, const Process& process) {
    // Ranks time out one after another, so that one of them speaks and its abort ends the rest.
    const double seconds = process.settings.start_timeout + 0.2 * std::min(process.world_rank, 50);
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    for (int polls = 0;; ++polls) {
        int done = 0;
        PMPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done) return;
        if (polls < 1000) {
            std::this_thread::yield();
        } else {
            std::this_thread::sleep_for(std::chrono::microseconds(100));
        }
        if (polls % 256 == 255 && std::chrono::steady_clock::now() > end) give_up(seconds);
    }
}

/// Says which rank has other settings than rank 0, and what they are.
void tell_difference(const Process& process, const std::string& mine) {
    char text[longest_text] = {};
    mine.copy(text, sizeof text - 1);
    char first[longest_text];
    std::copy(std::begin(text), std::end(text), first);
    PMPI_Bcast(first, longest_text, MPI_CHAR, 0, MPI_COMM_WORLD);
    const int differs = std::string_view(first) != text;
    int lowest = differs ? process.world_rank : INT_MAX;
    int how_many = 0;
    PMPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    PMPI_Reduce(&differs, &how_many, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (lowest == INT_MAX) {
        if (process.world_rank == 0) {
            say("ranks have different settings, which begin alike: \"" + std::string(first) +
                "...\". The run ends.");
        }
        return;
    }
    PMPI_Bcast(text, longest_text, MPI_CHAR, lowest, MPI_COMM_WORLD);
    if (process.world_rank != 0) return;
    say("ranks have different settings: rank 0 has \"" + std::string(first) + "\", rank " +
        std::to_string(lowest) + " has \"" + text + "\" (" + std::to_string(how_many) + " of " +
        std::to_string(process.world_size) +
        " ranks differ from rank 0). All ranks need the same "
        "TASUKI_* variables and the same Tasuki. The run ends.");
}

}  // namespace

bool agree_or_end(const Process& process, const std::string& problem, bool may_have_threads) {
    const std::string mine = process.settings.agreed_text();
    const std::uint64_t hash = fingerprint(mine);
    // The maximum of a number and of its complement tell whether all have the same.
    constexpr std::uint64_t no_threads = 1, some_problem = 2;
    const std::uint64_t state = may_have_threads ? 0 : no_threads;
    std::uint64_t shared[3] = {hash, ~hash, problem.empty() ? state : some_problem};
    MPI_Request request = MPI_REQUEST_NULL;
    PMPI_Iallreduce(MPI_IN_PLACE, shared, 3, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD, &request);
    wait_or_give_up(request, process);
    if (shared[0] != ~shared[1]) {
        tell_difference(process, mine);
        end_run();
    }
    if (shared[2] < some_problem) return shared[2] == 0;
    int speaker = problem.empty() ? INT_MAX : process.world_rank;
    PMPI_Allreduce(MPI_IN_PLACE, &speaker, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (process.world_rank == speaker) say(problem + ". The run ends.");
    end_run();
}

}  // namespace tasuki::interpose

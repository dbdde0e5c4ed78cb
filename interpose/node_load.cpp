#include "interpose/node_load.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <sched.h>

#include "predict/launched_ranks.hpp"
#include "transport/host/check.hpp"
#include "transport/memory/waiting.hpp"
#include "transport/silent_wait.hpp"

namespace tasuki::interpose {

namespace {

using Words = std::array<std::uint64_t, sizeof(cpu_set_t) / sizeof(std::uint64_t)>;

std::atomic<bool> was_crowded{false};         // ranks were seen that share cores
std::atomic<std::int32_t> all_ranks_here{0};  // 0: not known

}  // namespace

std::int32_t cores_together(std::span<const Whereabouts> ranks) {
    cpu_set_t together;
    CPU_ZERO(&together);
    for (const Whereabouts& rank : ranks) {
        cpu_set_t cores;
        CPU_ZERO(&cores);
        // Machines of more than 1,024 cores do not fit.
        if (sched_getaffinity(rank.thread, sizeof cores, &cores) != 0) return 0;
        CPU_OR(&together, &together, &cores);
    }
    return CPU_COUNT(&together);
}

std::int32_t cores_together(MPI_Comm node) {
    cpu_set_t own;
    Words words{};
    static_assert(sizeof words == sizeof own);
    // Then all bits say that it is not known.
    const bool is_known = sched_getaffinity(0, sizeof own, &own) == 0;
    if (is_known) {
        std::memcpy(words.data(), &own, sizeof own);
    } else {
        words.fill(~std::uint64_t{0});
    }
    host::check(PMPI_Allreduce(MPI_IN_PLACE, words.data(), static_cast<int>(words.size()),
                               MPI_UINT64_T, MPI_BOR, node));
    std::int32_t cores = 0;
    for (const std::uint64_t word : words) cores += std::popcount(word);
    return cores == 8 * static_cast<std::int32_t>(sizeof own) ? 0 : cores;
}

void note_node_load(std::int32_t ranks, std::int32_t cores, bool are_all) {
    if (cores > 0 && ranks > cores) was_crowded = true;
    if (are_all) all_ranks_here = std::max(all_ranks_here.load(), ranks);
    if (node_is_crowded(ranks)) SilentWait::note_shared_cores();
}

bool node_is_crowded(std::int32_t ranks) {
    if (was_crowded) return true;
    static const std::int32_t launched = launched_ranks_here();
    static const double present = memory::count_cores().present;
    return std::max({ranks, launched, all_ranks_here.load()}) > present;
}

}  // namespace tasuki::interpose

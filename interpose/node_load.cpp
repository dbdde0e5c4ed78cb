#include "interpose/node_load.hpp"

#include <algorithm>
#include <atomic>
#include <sched.h>

#include "predict/launched_ranks.hpp"
#include "transport/memory/waiting.hpp"
#include "transport/silent_wait.hpp"

namespace tasuki::interpose {

namespace {

std::atomic<bool> was_crowded{false};         // ranks were seen that share cores
std::atomic<std::int32_t> all_ranks_here{0};  // 0: not known

}  // namespace

std::int32_t cores_together(std::span<const Whereabouts> ranks) {
    const std::uint32_t own_numbering = own_whereabouts().thread_numbering;
    cpu_set_t together;
    CPU_ZERO(&together);
    for (const Whereabouts& rank : ranks) {
        cpu_set_t cores;
        CPU_ZERO(&cores);
        const bool is_known = own_numbering != 0 && rank.thread_numbering == own_numbering;
        // Machines of more than 1,024 cores do not fit.
        if (!is_known || sched_getaffinity(rank.thread, sizeof cores, &cores) != 0) return 0;
        CPU_OR(&together, &together, &cores);
    }
    return CPU_COUNT(&together);
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

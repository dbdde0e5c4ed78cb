#include "report/summary.hpp"

#include <numeric>

namespace tasuki::report {

LearntTogether learnt_together(const RunRecord& run) {
    LearntTogether together;
    for (const CommunicatorRecord& communicator : run.communicators) {
        for (const SizeRecord& size : communicator.sizes) {
            if (!size.course.decision) continue;
            ++together.decisions;
            together.saved_seconds += size.course.decision->saved_seconds;
            together.learning_seconds += size.course.decision->learning_seconds;
        }
    }
    return together;
}

double mean_seconds(const RunRecord& run) {
    return run.seconds.sum / run.facts.ranks;
}

double messages_in_memory(const memory::Counters& counters) {
    return std::accumulate(counters.messages.begin(), counters.messages.end(), 0.0);
}

double bytes_in_memory(const memory::Counters& counters) {
    return std::accumulate(counters.bytes.begin(), counters.bytes.end(), 0.0);
}

double copies_per_byte(const memory::Counters& counters) {
    const double bytes = bytes_in_memory(counters);
    return bytes > 0 ? static_cast<double>(counters.copied_bytes) / bytes : unknown;
}

}  // namespace tasuki::report

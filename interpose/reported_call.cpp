#include "interpose/reported_call.hpp"

#include "interpose/last_call.hpp"

namespace tasuki::interpose {

constinit thread_local CallUnderWay call_under_way;

void ReportedCall::note() const {
    const std::uint64_t ticks = selection_clock() - began_;
    const LastCall last = last_call_of(collective_);
    if (call_under_way.tally != nullptr) {
        call_under_way.tally->add(last.ran, call_under_way.bytes, ticks);
    }
    // There is no reason where the first call of all failed.
    const bool has_reason = last.reason != nullptr && *last.reason != '\0';
    if (has_reason && last.ran == nullptr) {
        report_refused_call(collective_, last.reason);
    }
}

}  // namespace tasuki::interpose

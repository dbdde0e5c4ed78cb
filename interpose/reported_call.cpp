#include "interpose/reported_call.hpp"

#include "interpose/last_call.hpp"

namespace tasuki::interpose {

constinit thread_local CallUnderWay call_under_way;

void ReportedCall::end() const {
    const std::uint64_t ticks = report::ticks_now() - began_;
    const LastCall& last = last_calls[static_cast<std::size_t>(collective_)];
    const bool is_exact = last.reason == ran_exact_sum;
    if (call_under_way.tally != nullptr) {
        const Choice* ran = is_exact ? &report::exact_sums : last.ran;
        call_under_way.tally->add(ran, call_under_way.bytes, ticks);
    }
    // There is no reason where the first call of all failed.
    const bool has_reason = last.reason != nullptr && *last.reason != '\0';
    if (has_reason && last.ran == nullptr && !is_exact) {
        report_refused_call(collective_, last.reason);
    }
}

}  // namespace tasuki::interpose

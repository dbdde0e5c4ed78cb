// A call as the report sees it: from its entry point to its return.
#pragma once

#include <cstdint>

#include "calls/collectives.hpp"
#include "interpose/run_report.hpp"
#include "interpose/selection_clock.hpp"
#include "report/size_tally.hpp"

namespace tasuki::interpose {

/// What Communicator::report_size() says of the call that this thread is in.
struct CallUnderWay {
    report::SizeTally* tally = nullptr;  ///< nullptr: nothing yet
    std::int64_t bytes = 0;
};
extern constinit thread_local CallUnderWay call_under_way;

/// Lives in the entry point of a call. Where nobody wants a report it costs two branches. Without a
/// destructor, as all that lives there while the host has the call: the program's error handler may
/// throw, or the thread may be cancelled, and what unwinds the stack then is another library's.
class ReportedCall {
  public:
    explicit ReportedCall(Collective collective) : collective_(collective) {
        if (!is_reporting()) [[likely]]
            return;
        call_under_way = {};
        began_ = selection_clock();
    }
    /// When the call returns.
    void end() const {
        if (is_reporting()) [[unlikely]]
            note();
    }
    ReportedCall(const ReportedCall&) = delete;
    ReportedCall& operator=(const ReportedCall&) = delete;

  private:
    void note() const;

    Collective collective_;
    std::uint64_t began_ = 0;
};

}  // namespace tasuki::interpose

// What follows from a record.
#pragma once

#include "report/record.hpp"

namespace tasuki::report {

/// Of everything that was learnt. Seconds of one rank, as all of a communicator have them alike;
/// of communicators that are alike one counts, since they run side by side.
struct LearntTogether {
    int decisions = 0;
    double saved_seconds = 0;  ///< against the host's own, learning included
    double learning_seconds = 0;
};

LearntTogether learnt_together(const RunRecord& run);

/// Mean over ranks of the time that they spent in collectives.
double mean_seconds(const RunRecord& run);

/// Bytes that were copied for each byte of a message inside nodes; NaN where there was none.
double copies_per_byte(const memory::Counters& counters);

/// Total of Counters::messages, and of bytes.
double messages_in_memory(const memory::Counters& counters);
double bytes_in_memory(const memory::Counters& counters);

}  // namespace tasuki::report

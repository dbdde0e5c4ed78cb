// What selection and the report measure calls by.
#pragma once

#include <cstdint>

#include "report/ticks.hpp"

namespace tasuki::interpose {

/// Whether the processor's counter goes evenly and is the same on all cores, as the system says
/// that takes it for its own clock: asking it costs a third then, which counts where calls take
/// 100 ns.
extern const bool counter_is_time;

/// In a unit of its own, since some moment.
inline std::uint64_t selection_clock() {
    if (counter_is_time) [[likely]]
        return report::ticks_now();
    return report::nanoseconds_now();
}

/// Seconds that have passed since a reading.
double seconds_since(std::uint64_t began);

}  // namespace tasuki::interpose

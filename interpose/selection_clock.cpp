#include "interpose/selection_clock.hpp"

#include <fstream>
#include <string>

namespace tasuki::interpose {

namespace {

const report::TickLength since_load;

bool is_the_systems_clock() {
    std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    std::string name;
    return file >> name && (name == "tsc" || name == "arch_sys_counter");
}

}  // namespace

const bool counter_is_time = is_the_systems_clock();

double seconds_since(std::uint64_t began) {
    const std::uint64_t ended = selection_clock();
    // Fixed from the first time on, milliseconds after the library was loaded: MPI has started.
    static const double tick = counter_is_time ? since_load.seconds() : 1e-9;
    return static_cast<double>(static_cast<std::int64_t>(ended - began)) * tick;
}

}  // namespace tasuki::interpose

#include "interpose/reduction_mode.hpp"

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "interpose/wishes.hpp"

namespace tasuki::interpose {

constinit std::atomic<ReductionMode> current_reduction_mode{ReductionMode::off};

namespace {

constexpr ReductionMode modes[] = {ReductionMode::off, ReductionMode::placement,
                                   ReductionMode::exact};

}  // namespace

std::string_view name_of(ReductionMode mode) {
    switch (mode) {
        case ReductionMode::off:
            return "off";
        case ReductionMode::placement:
            return "placement";
        case ReductionMode::exact:
            return "exact";
    }
    return {};
}

ReductionMode parse_reduction_mode(std::string_view text) {
    for (const ReductionMode mode : modes) {
        if (text == name_of(mode)) return mode;
    }
    throw std::invalid_argument(
        "no mode \"" + std::string(text) +
        "\" of reductions; it is off (the fastest), placement (the same bits wherever the ranks "
        "are) or exact (floating-point sums rounded once: the same bits for any number of ranks)");
}

bool reduction_mode_is_asked_for() {
    const char* mode = std::getenv("TASUKI_REPRODUCIBLE");
    return mode != nullptr &&
           (mode == name_of(ReductionMode::placement) || mode == name_of(ReductionMode::exact));
}

void set_reduction_mode(ReductionMode mode) {
    current_reduction_mode = mode;
    renew_switches();
}

bool is_reduction(Collective collective) {
    switch (collective) {
        case Collective::allreduce:
        case Collective::reduce:
        case Collective::reduce_scatter:
        case Collective::scan:
        case Collective::exscan:
            return true;
        default:
            return false;
    }
}

}  // namespace tasuki::interpose
